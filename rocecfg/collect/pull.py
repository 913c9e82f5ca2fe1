"""Reads the devices of an inventory and keeps what they said.

results = pull(inventory.read("inventory/"), Path("captures"), PullOptions(known_hosts=Path("known_hosts")))

One result a target, in the targets' order; whatever becomes of a device, the others go on. What was read stands on disk
as soon as it is whole: a run that was killed goes on where it stopped.
"""

from __future__ import annotations

import re
from concurrent.futures import FIRST_COMPLETED, CancelledError, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocecfg.collect import knownhosts
from rocecfg.collect.credentials import Credentials
from rocecfg.collect.order import Ask, Hop, Order, Reading, Times
from rocecfg.collect.store import JOURNAL, Store, keep, taken
from rocecfg.collect.target import DeviceResult, Target
from rocecfg.collect.trouble import INTERNAL, UNREACHABLE, WRONG_DEVICE
from rocecfg.errors import ConfigurationError, ReadError, RocecfgError, UsageError
from rocecfg.vendor import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Executor, Future

    from rocecfg.collect.sshconfig import Ways

THREADS = 50
"""Sessions at a time in one process; more lose, because they share one interpreter."""
_LOST = 2
"""How often a device is read again whose worker went away."""


@dataclass(frozen=True, slots=True)
class PullOptions:
    """How devices are read."""

    credentials: Credentials = field(default_factory=Credentials)
    known_hosts: Path | None = None
    """Default: the user's own, and the system's to look things up in."""
    accept_new: bool = False
    ssh_config: Path | None = None
    jump: str = ""
    key_file: str = ""
    threads: int = THREADS
    workers: int = 1
    times: Times = field(default_factory=Times)
    tries: int = 2
    most_bytes: int = 16 * 1024 * 1024
    """What one command may print."""
    any_name: bool = False
    """Do not compare the host name in the prompt with the inventory's."""
    fresh: bool = False
    """Read again what a run that broke off has read."""


def pull(
    targets: Sequence[Target],
    folder: Path,
    options: PullOptions | None = None,
    executor: Executor | None = None,
    on_done: Callable[[DeviceResult], None] | None = None,
) -> list[DeviceResult]:
    """Read every target and keep its texts in `folder/<device>/`.

    `on_done` is called for each result as it comes, in the calling thread. With an `executor` the devices are read
    there (`dask.distributed`: `Client.get_executor()`); the captures are written here.
    Raises UsageError for a folder that another run writes to, a known_hosts file or a manifest that cannot be used.
    """
    options = options or PullOptions()
    orders, impossible = _orders(targets, options)
    results: dict[str, DeviceResult] = {}

    def done(result: DeviceResult) -> None:
        results[result.device] = result
        if on_done is not None:
            on_done(result)

    with (
        Store(folder, (target.name for target in targets), fresh=options.fresh) as store,
        _executor(options, len(orders), executor) as where,
    ):
        for result in impossible:
            done(result)
        for target in targets:
            if target.name in store.done:
                done(store.done[target.name])
        left = [order for order in orders if order.device not in results]
        file = options.known_hosts or Path(knownhosts.DEFAULT).expanduser()
        probing = executor is None and len(left) > options.threads * options.workers
        place = folder if executor is None else None  # elsewhere is another machine: the texts come back
        for reading in _collected(left, where, place, store.run, probing=probing):
            if reading.new_keys:
                knownhosts.append(file, reading.new_keys)
            done(_noted(store, folder, keep(folder, store.run, reading)))
        store.finish()
    return [results[target.name] for target in targets]


def resumable(folder: Path) -> bool:
    """Return whether a run in a folder broke off."""
    return (folder / JOURNAL).is_file()


def read_and_keep(order: Order, folder: Path | None, run: str) -> Reading:
    """Read a device and keep its texts in a folder; without one the reading carries them."""
    from rocecfg.collect.device import read_device

    reading = _checked(read_device(order))
    return keep(folder, run, reading) if folder is not None else reading


def _noted(store: Store, folder: Path, reading: Reading) -> DeviceResult:
    result = reading.result
    store.note(result)
    older = taken(folder, result.device) if result.status == "failed" else ""
    return replace(result, reason=f"{result.reason}; the capture of {older} is still there") if older else result


def _checked(reading: Reading) -> Reading:
    """Return a reading, refused where its first text is whole and of another system."""
    result = reading.result
    if result.status == "failed" or not reading.texts or not reading.texts[0].complete:
        return reading
    text = reading.texts[0].content
    try:
        if len(text) < 200 or registry.score(result.nos, text)[0] > 0:
            return reading
    except UsageError:  # a system that nobody knows was read by commands of the user's own
        return reading
    others = {name: score for name, (score, _) in registry.scores(text).items()}
    if not others:
        return reading
    likely = max(others, key=lambda name: others[name])
    reason = f"the inventory says {result.nos}, what the device printed is of {likely}"
    return replace(reading, result=replace(result, status="failed", rule=WRONG_DEVICE, reason=reason), texts=())


# -- orders ------------------------------------------------------------------------------------------------------


def _orders(targets: Sequence[Target], options: PullOptions) -> tuple[list[Order], list[DeviceResult]]:
    from rocecfg.collect.sshconfig import Ways

    names = [target.name for target in targets]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f'"{twice}" is named twice')
    if options.known_hosts is not None and not options.known_hosts.exists() and not options.accept_new:
        raise UsageError(f"{options.known_hosts}: no such file; --accept-new makes it at first contact")
    own = [options.known_hosts] if options.known_hosts else [
        Path(knownhosts.DEFAULT).expanduser(), Path("/etc/ssh/ssh_known_hosts")
    ]  # fmt: skip
    ways = Ways(options.ssh_config, knownhosts.KnownHosts(own), options.credentials, options.key_file, options.jump)
    orders: list[Order] = []
    impossible: list[DeviceResult] = []
    for target in targets:
        try:
            problem = target.problem or _no_session(target.nos)
            order = None if problem else _order(target, options, ways)
        except ConfigurationError:
            raise
        except RocecfgError as error:
            problem, order = str(error), None
        if order is None:
            impossible.append(DeviceResult(target.name, target.nos, "failed", UNREACHABLE, f"not asked: {problem}"))
        else:
            orders.append(order)
    return orders, impossible


def _no_session(nos: str) -> str:
    if not nos:
        return "nothing says which system it runs"
    manifest = registry.get(nos).manifest
    if not manifest.netmiko:
        return f"{manifest.title} is not read over SSH: save its texts and check those"
    return "" if manifest.commands else f"no commands are known that read {manifest.title}"


def _order(target: Target, options: PullOptions, ways: Ways) -> Order:
    from rocecfg.collect.gate import Gate

    manifest = registry.get(target.nos).manifest
    asks = tuple(Ask(command.send, command.id, command.whole_when) for command in manifest.commands)
    Gate(manifest.netmiko, (ask.send for ask in asks))  # a command that does not only read stops the run here
    hops, proxy = ways.to(target)
    words = {re.sub(r"[\d/:.].*$", "", port).strip() for port in manifest.port_names}
    return Order(
        device=target.name,
        nos=target.nos,
        driver=manifest.netmiko,
        asks=asks,
        hops=hops,
        proxy_command=proxy,
        enable=options.credentials.enable or target.enable,
        times=options.times,
        tries=options.tries,
        most_bytes=options.most_bytes,
        accept_new=options.accept_new,
        any_name=options.any_name,
        is_host=manifest.kind == "host",
        port_words=tuple(sorted(word for word in words if len(word) > 2)),
    )


# -- reading -----------------------------------------------------------------------------------------------------


@contextmanager
def _executor(options: PullOptions, devices: int, given: Executor | None) -> Iterator[Executor]:
    """Give what reads the devices: threads here, processes with threads, or what the caller brought."""
    if given is not None:
        yield given
        return
    from rocecfg.collect import connect, session

    assert session  # imported once, before processes are forked
    connect.STOPPED.clear()
    own: Executor
    if options.workers > 1 and devices > 1:
        from rocecfg.collect.workers import ProcessesOfThreads

        own = ProcessesOfThreads(min(options.workers, devices), options.threads)
    else:
        own = ThreadPoolExecutor(max(min(options.threads, devices), 1), thread_name_prefix="device")
    whole = False
    try:
        yield own
        whole = True
    finally:
        if not whole:
            connect.stop_all()
        own.shutdown(wait=whole, cancel_futures=True)
        connect.close_jumps()


def _collected(
    orders: Sequence[Order], executor: Executor, folder: Path | None, run: str, *, probing: bool
) -> Iterator[Reading]:
    """Hand orders to an executor and yield what comes back; who does not answer TCP never takes a session's place."""
    if not orders:
        return
    waiting: dict[Future[Any], tuple[str, Order, int]] = {}
    probes = ThreadPoolExecutor(min(256, len(orders)), thread_name_prefix="probe") if probing else None
    try:
        for order in orders:
            if probes is not None and len(order.hops) == 1 and not order.proxy_command:
                waiting[probes.submit(_probed, order)] = ("probe", order, 0)
            else:
                waiting[executor.submit(read_and_keep, order, folder, run)] = ("read", order, 0)
        while waiting:
            finished, _ = wait(waiting, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in finished:
                kind, order, lost = waiting.pop(future)
                try:
                    answer: Reading | None = future.result()
                except (Exception, CancelledError) as error:  # noqa: BLE001 - the worker is gone, or could not be asked
                    if lost < _LOST:
                        waiting[executor.submit(read_and_keep, order, folder, run)] = ("read", order, lost + 1)
                        continue
                    answer = _lost(order, error)
                if answer is None:
                    waiting[executor.submit(read_and_keep, order, folder, run)] = (kind, order, 0)
                else:
                    yield answer
    finally:
        if probes is not None:
            probes.shutdown(wait=False, cancel_futures=True)


def _probed(order: Order) -> Reading | None:
    """Return None when a device answers TCP, else what came of it."""
    import time

    from rocecfg.collect.connect import reach
    from rocecfg.collect.trouble import TroubleError

    device: Hop = order.hops[-1]
    start = time.monotonic()
    try:
        reach(device.address, device.port, order.times.connect).close()
    except TroubleError as trouble:
        seconds = time.monotonic() - start
        return Reading(DeviceResult(order.device, order.nos, "failed", trouble.rule, trouble.reason, seconds))
    return None


def _lost(order: Order, error: BaseException) -> Reading:
    reason = f"the worker that read it was lost {_LOST + 1} times: {type(error).__name__}"
    return Reading(DeviceResult(order.device, order.nos, "failed", INTERNAL, reason))


def dask_executor(address: str) -> Any:
    """Return the executor of a Dask cluster, `dask://HOST:PORT`. Raises UsageError or ReadError: missing, silent."""
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageError("--executor dask://... needs the extra: pip install 'rocecfg[dist]'") from error
    try:
        client: Any = Client("tcp://" + address.removeprefix("dask://"), timeout="10s")  # type: ignore[no-untyped-call]
        return client.get_executor(retries=3, pure=False)
    except (OSError, TimeoutError) as error:
        raise ReadError(f"{address}: the scheduler does not answer") from error


def unread(results: Iterable[DeviceResult]) -> int:
    """Return how many devices were not read whole."""
    return sum(result.status != "ok" for result in results)

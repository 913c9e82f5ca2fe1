"""The report of an audit in a real browser: filters, clicks, a phone's width, print, and that nothing hostile runs."""

from __future__ import annotations

import base64
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from rocecfg.report.fleet import write
from tests.report import fleet_sample as sample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--disable-dev-shm-usage", "--window-size=1400,900",
)  # fmt: skip

pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="chromium and chromedriver are not installed")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    try:
        driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    except WebDriverException as error:
        pytest.skip(f"chromium does not start here: {error.msg}")
    driver.set_page_load_timeout(60)
    try:
        yield driver
    finally:
        with suppress(WebDriverException):
            driver.quit()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    run, plan = sample.small(folder / "captures")
    evil, evil_plan = sample.hostile()
    remedy = sample.hostile_remedy()
    large = sample.planned(sample.large(300))
    names = list(large.devices)
    texts = {
        "small": write(run, plan, sample.history(run), sample.remedies()),
        "hostile": write(evil, evil_plan, sample.history(evil), {sample.EVIL_NAME: remedy}),
        "large": write(sample.audited(sample.many_findings(names, 900), names), large, None, None),
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text)
    return {name: folder / f"{name}.html" for name in texts}


@pytest.fixture
def opened(browser: Any, pages: dict[str, Path]) -> Iterator[Callable[..., Any]]:
    """Open a page; afterwards nothing stands in the console and nothing was asked of a network."""

    def show(name: str, width: int = 1400, *, phone: bool = False) -> Any:
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": phone})  # fmt: skip
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        browser.get_log("performance")
        browser.get(pages[name].as_uri())
        return browser

    browser.get_log("browser")
    yield show
    assert browser.get_log("browser") == []
    asked = [
        entry["message"]
        for entry in browser.get_log("performance")
        if '"Network.requestWillBeSent"' in entry["message"]
    ]
    assert not [message for message in asked if '"url":"http' in message or '"url":"ws' in message]


def visible(browser: Any) -> list[str]:
    found: list[str] = browser.execute_script(
        "return [...document.querySelectorAll('.problem')].filter(each => each.offsetParent)"
        ".map(each => each.closest('.rule').dataset.rule)"
    )
    return found


def fill(browser: Any, name: str, value: str) -> None:
    browser.execute_script(
        "const input = document.querySelector('form.filter').elements[arguments[0]];"
        "input.value = arguments[1]; input.dispatchEvent(new Event('input', {bubbles: true}));",
        name,
        value,
    )
    settle(browser)


def settle(browser: Any) -> None:
    browser.execute_async_script("setTimeout(arguments[arguments.length - 1], 200)")


def test_it_renders_and_the_filters_work(opened: Callable[..., Any]) -> None:
    browser = opened("small")
    every = visible(browser)
    assert set(every) == {"OPS-003", "PFC-004", "DRIFT-001", "RUN-002", "WD-001", "ECN-003", "NIC-011"}
    assert browser.find_element("css selector", "form.filter output").text == f"{len(every)} problems"
    browser.find_element("css selector", "input[name=severity][value=info]").click()
    settle(browser)
    assert "NIC-011" not in visible(browser)
    fill(browser, "device", "leaf*")
    assert set(visible(browser)) == {"PFC-004", "DRIFT-001", "WD-001", "ECN-003"}
    fill(browser, "device", "leaf2")
    assert set(visible(browser)) == {"PFC-004", "DRIFT-001"}
    here = browser.find_element("css selector", "[data-rule='PFC-004'] .here").text
    assert here.startswith("leaf2 Ethernet1/7 priority 3 (")
    fill(browser, "device", "")
    fill(browser, "rule", "ECN-003")
    assert visible(browser) == ["ECN-003"]
    fill(browser, "rule", "")
    fill(browser, "text", "kmin is 150000")
    assert visible(browser) == ["ECN-003"]
    fill(browser, "text", "no such words")
    assert visible(browser) == []
    browser.find_element("css selector", "form.filter button[type=reset]").click()
    settle(browser)
    assert visible(browser) == every
    browser.find_element("css selector", "input[name=fresh]").click()
    settle(browser)
    assert set(visible(browser)) == {"PFC-004", "DRIFT-001"}


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ("*", 7),
        ("leaf4", 2),
        ("LEAF4", 2),
        ("*af4", 2),
        ("l*f4", 2),
        ("leaf", 4),
        ("gpu1*", 1),
        ("x*", 0),
        ("leaf4*4", 0),
    ],
)
def test_patterns_of_device_names(opened: Callable[..., Any], words: str, rules: int) -> None:
    browser = opened("small")
    fill(browser, "device", words)
    assert len(set(visible(browser))) == rules


def test_a_click_in_the_drawing_shows_the_findings_of_the_device(opened: Callable[..., Any]) -> None:
    browser = opened("small")
    number = browser.execute_script(
        "return JSON.parse(document.getElementById('data').textContent).devices.indexOf('leaf4')"
    )
    browser.execute_script(
        "arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))",
        browser.find_element("css selector", f"svg.fabric [data-device='{number}']"),
    )
    settle(browser)
    assert set(visible(browser)) == {"WD-001", "ECN-003"}


def test_links_open_what_is_folded(opened: Callable[..., Any]) -> None:
    browser = opened("small")
    browser.execute_script("location.hash = '#t1'")
    settle(browser)
    assert browser.execute_script("return document.getElementById('t1').open") is True


@pytest.mark.parametrize("name", ["small", "hostile", "large"])
def test_a_phone_has_no_sideways_scroll(opened: Callable[..., Any], name: str) -> None:
    browser = opened(name, 390, phone=True)
    wide, inner = browser.execute_script(
        "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )
    assert wide <= inner == 390


def test_nothing_hostile_runs(opened: Callable[..., Any]) -> None:
    """An alert would make every later call fail; markup would make elements."""
    browser = opened("hostile")
    fill(browser, "device", "leaf'")
    assert "PFC-004" in visible(browser)
    fill(browser, "device", "<img")
    fill(browser, "device", "")
    fill(browser, "text", "onerror")
    assert len(visible(browser)) >= 2
    assert browser.find_elements("css selector", "img, iframe, object, embed, [onload], [onerror], [onclick]") == []
    assert browser.execute_script("return document.scripts.length") == 2
    assert "<img src=x" in browser.find_element("css selector", "h1").text


def test_injected_script_and_style_are_refused_by_the_policy(browser: Any, pages: dict[str, Path]) -> None:
    browser.get(pages["small"].as_uri())
    browser.execute_script(
        "const script = document.createElement('script'); script.textContent = 'window.ran = 1';"
        "document.body.appendChild(script); const box = document.createElement('div');"
        'box.innerHTML = \'<img src="http://127.0.0.1:9/x" onerror="window.ran = 2">\'; document.body.appendChild(box);'
    )
    settle(browser)
    assert browser.execute_script("return window.ran === undefined") is True
    assert any("Content Security Policy" in entry["message"] for entry in browser.get_log("browser"))


def test_a_large_fabric_stays_usable(opened: Callable[..., Any]) -> None:
    browser = opened("large")
    assert browser.execute_script("return document.querySelectorAll('svg.fabric .cells rect').length") > 500
    fill(browser, "device", "leaf0007")
    assert visible(browser)
    shown = browser.find_element("css selector", "form.filter output").text
    assert " of " in shown


def test_print_shows_everything(opened: Callable[..., Any]) -> None:
    """What a filter or a fold hides is on paper; the controls are not."""
    browser = opened("small")
    fill(browser, "text", "no such words")
    assert visible(browser) == []
    printed = browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    assert base64.b64decode(printed["data"]).startswith(b"%PDF")
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert len(set(visible(browser))) == 7
    hidden = browser.execute_script(
        "return [...document.querySelectorAll('main pre, main .say, main details p')]"
        ".filter(each => !each.checkVisibility()).map(each => each.textContent)"
    )
    assert hidden == []
    assert not browser.find_element("css selector", "form.filter").is_displayed()
    assert not browser.find_element("css selector", "nav.bar").is_displayed()
    browser.execute_script("window.dispatchEvent(new Event('afterprint'))")
    assert browser.execute_script("return document.querySelectorAll('.rule details[open]').length") == 0

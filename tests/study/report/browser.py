"""A headless Chromium, driven through its own debugging pipe: nothing to install, no port, no network."""

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or ""
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-extensions"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
    *("--hide-scrollbars", "--remote-debugging-pipe"),
)
# Chromium reads from descriptor 3 and writes to 4, whatever the pipes are called here.
AT_3_AND_4 = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(each), fcntl.F_DUPFD, 10) for each in sys.argv[1:3]]
os.dup2(ends[0], 3), os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
PATIENCE = 60.0  # seconds for one answer; a hang must not last for ever


class Browser:
    """One tab; what the page says in the console or asks of the network is kept in `complaints` and `requests`."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to, self._from = to_browser, from_browser
        self._numbers = itertools.count(1)
        self._rest = b""
        self.complaints: list[str] = []
        self.requests: list[str] = []
        target = self._ask("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._session = self._ask("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")
        offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
        self._ask("Network.emulateNetworkConditions", offline)

    _session: str | None = None

    def open(self, page: Path, width: int = 1200, height: int = 900, dark: bool = False) -> None:
        """Show a file at a width, in a colour scheme."""
        self.complaints.clear()
        self.requests.clear()
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._ask("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", {"features": [scheme]})
        self._ask("Page.navigate", {"url": page.as_uri()})
        self._until("document.readyState === 'complete' && document.documentElement.dataset.ready === 'yes'")

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression."""
        options = {"expression": script, "returnByValue": True, "awaitPromise": True}
        answer = self._ask("Runtime.evaluate", options)
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"]["exception"].get("description", answer))
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """A key, as if typed by hand."""
        texts = {"Enter": "\r", " ": " "}
        codes = {"Enter": 13, " ": 32, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        what: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": codes[key]}
        down = {**what, "type": "keyDown"} | ({"text": texts[key]} if key in texts else {})
        self._ask("Input.dispatchKeyEvent", down)
        self._ask("Input.dispatchKeyEvent", {**what, "type": "keyUp"})

    def downloaded(self, script: str, folder: Path, name: str) -> bytes:
        """What is saved as a file of this name after running a script."""
        self._ask("Page.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        self.run(script)
        end = time.monotonic() + PATIENCE
        while not (folder / name).exists():
            assert time.monotonic() < end, f"no file {name}: {sorted(each.name for each in folder.iterdir())}"
            time.sleep(0.02)
        return (folder / name).read_bytes()

    def picture(self, whole: bool = True) -> bytes:
        """A screenshot."""
        taken = self._ask(
            "Page.captureScreenshot", {"format": "png", "captureBeyondViewport": whole} | self._clip(whole)
        )
        return base64.b64decode(taken["data"])

    def _clip(self, whole: bool) -> dict[str, Any]:
        if not whole:
            return {}
        size = self._ask("Page.getLayoutMetrics")["cssContentSize"]
        return {"clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}}

    def _until(self, condition: str) -> None:
        end = time.monotonic() + PATIENCE
        while not self.run(condition):
            if time.monotonic() > end:
                raise AssertionError(f"the page did not get ready: {self.complaints}")
            time.sleep(0.02)

    def _ask(self, method: str, parameters: dict[str, Any] | None = None) -> Any:
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters or {}}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        for answer in self._answers():
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
            self._note(answer)
        raise AssertionError("chromium went away")

    def _answers(self) -> Iterator[Any]:
        while True:
            while b"\0" not in self._rest:
                ready, _, _ = select.select([self._from], [], [], PATIENCE)
                piece = os.read(self._from, 1 << 20) if ready else b""
                if not piece:
                    return
                self._rest += piece
            message, self._rest = self._rest.split(b"\0", 1)
            yield json.loads(message)

    def _note(self, event: Any) -> None:
        method, what = event.get("method"), event.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.complaints.append(" ".join(str(each.get("value")) for each in what["args"]))
        elif method == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded":
            self.complaints.append(what["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(what["request"]["url"])


@contextmanager
def started(folder: Path) -> Iterator[Browser]:
    """A browser with a fresh profile in `folder`, ended afterwards."""
    reads, to_browser = os.pipe()
    from_browser, writes = os.pipe()
    pipes = [sys.executable, "-c", AT_3_AND_4, str(reads), str(writes)]
    command = [*pipes, CHROMIUM, *FLAGS, f"--user-data-dir={folder}"]
    with (folder / "chromium.log").open("wb") as log:
        process = subprocess.Popen(command, pass_fds=(reads, writes), stdout=log, stderr=log)
    for end in (reads, writes):
        os.close(end)
    try:
        yield Browser(to_browser, from_browser)
    finally:
        for end in (to_browser, from_browser):
            os.close(end)  # without its pipe the browser ends
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

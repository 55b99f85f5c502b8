"""The page of `roost browse` in a browser: Scripts/test-browse runs it.

usage: page.py ROOST SAMPLE FOLDER [--measure] [--axe SCRIPT]
"""
import argparse, os, shutil, subprocess, sys, time, urllib.error, urllib.request

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

DEADLINE = 20
ROWS = 1_000_000


class Page:
    """A browser on the page of a running server."""

    def __init__(self, roost, path, *arguments):
        self.server = subprocess.Popen(
            [roost, "browse", path, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.server.stdout.readline().strip()
        self.base, self.token = self.url.split("/#token=")
        options = Options()
        options.binary_location = shutil.which("chromium") or ""
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-device-scale-factor=1"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.driver.set_script_timeout(60)
        self.look(1280, 800, "light")
        self.driver.get(self.url)
        self.wait("the start", "return document.querySelector('main h1') && document.querySelectorAll('#models li').length")

    def close(self):
        self.driver.quit()
        self.server.stdin.close()
        self.server.wait(10)

    def look(self, width, height, scheme):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, what, script, *arguments):
        """Waits until a script's value is true, and returns it."""
        end = time.monotonic() + DEADLINE
        while True:
            try:
                value = self.run(script, *arguments)
            except WebDriverException:
                value = None
            if value:
                return value
            if time.monotonic() > end:
                self.driver.save_screenshot("/tmp/test-browse-failure.png")
                sys.exit(f"error: waited {DEADLINE} s for {what}; the page: {self.text('main')[:400]!r}")
            time.sleep(0.02)

    def go(self, fragment):
        self.run("location.hash = arguments[0]", fragment)

    def text(self, selector):
        return self.run("const found = document.querySelector(arguments[0]); return found ? found.innerText : ''", selector)

    def click(self, selector):
        self.wait(selector, "return document.querySelector(arguments[0])", selector)
        self.driver.find_element(By.CSS_SELECTOR, selector).click()

    def keys(self, *keys):
        self.driver.switch_to.active_element.send_keys(*keys)

    def row(self, place):
        """The cells of a row in sight, by its place from 0 on, once it is there."""
        return self.wait(f"row {place}", """
          const row = document.getElementById("row" + arguments[0]);
          if (!row || row.hidden || row.classList.contains("waiting")) return null;
          return [...row.querySelectorAll("[role=gridcell]")].map((cell) => cell.innerText);""", place)

    def scroll(self, part):
        """Moves the scroll bar to a part of its way."""
        self.run("""const grid = document.getElementById("grid");
          grid.scrollTop = arguments[0] * (grid.scrollHeight - grid.clientHeight);""", part)


def check(holds, what):
    if not holds:
        sys.exit(f"error: {what}")


def expect(found, wanted, what):
    check(found == wanted, f"{what}: {found!r}, not {wanted!r}")


# What is tested

def scrolls(page):
    page.go("#/rows/Person")
    expect(page.row(0)[0], "1", "the first row")
    check("999,999 objects" in page.text("#count"), "the count of the objects")
    for part in (0.5, 1, 0.123, 0):
        page.scroll(part)
        sight = page.wait("rows in sight", """const box = document.getElementById("grid").getBoundingClientRect();
          const rows = [...document.querySelectorAll(".body .row")].filter((row) => !row.hidden && !row.classList.contains("waiting"))
            .filter((row) => row.getBoundingClientRect().bottom > box.top + 28 && row.getBoundingClientRect().top < box.bottom);
          const wanted = arguments[0] * 999999;
          const places = rows.map((row) => Number(row.id.slice(3))).sort((a, b) => a - b);
          return places.length > 10 && Math.abs(places[0] - wanted) < 100 && places;""", part)
        check(sight == list(range(sight[0], sight[-1] + 1)), f"rows without a gap: {sight}")
        expect(page.row(sight[3])[0], str(sight[3] + 1), "the row at its place")
        check(page.run("return document.querySelectorAll('.row').length") <= 200, "at most 200 rows as elements")
        if part == 1:
            expect(sight[-1], ROWS - 2, "the last row")
    # A turn of the wheel goes on by its pixels, also where the bar is scaled.
    page.run("""document.getElementById("grid").dispatchEvent(new WheelEvent("wheel", { deltaY: 280, bubbles: true, cancelable: true }))""")
    page.wait("ten rows further", """const row = document.getElementById("row10");
      return row && Math.abs(row.getBoundingClientRect().top - document.getElementById("grid").getBoundingClientRect().top - 28) < 3;""")


def keys_move(page):
    page.go("#/rows/Person?at=0")
    page.row(0)
    page.wait("the grid", "return document.activeElement.id === 'grid'")
    page.keys(Keys.CONTROL, Keys.END)
    page.driver.switch_to.active_element.send_keys(Keys.NULL)
    page.row(ROWS - 2)
    page.keys(Keys.CONTROL, Keys.HOME)
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    name = page.row(2)[1]
    expect(page.text(".cellbar .value"), name, "the chosen value")
    page.keys("f")
    page.wait("the filter", "return location.hash.includes('w=') && document.querySelector('#count').innerText.includes(' of ')")
    expect(page.row(0)[1], name, "a row of the filter")
    page.driver.back()
    page.wait("all rows", "return document.querySelector('#count').innerText === '999,999 objects'")


def queries(page):
    page.go("#/rows/Person")
    page.row(0)
    box = page.driver.find_element(By.ID, "query")
    box.send_keys("employer.na")
    page.wait("a completion", "return document.querySelector('#words li') && document.querySelector('#words li').innerText.startsWith('name')")
    box.send_keys(Keys.TAB, ' contains "Costa" && age > 30 && addres == 1')
    box.send_keys(Keys.ESCAPE, Keys.ENTER)
    page.wait("the mistake", "return document.querySelector('#mistake').innerText.includes('addres')")
    # The sign stands under the first letter of what is wrong.
    place = page.run("""const sign = document.getElementById("sign").getBoundingClientRect();
      const input = document.getElementById("query");
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = getComputedStyle(input).font;
      const start = input.value.indexOf("addres");
      return sign.left - input.getBoundingClientRect().left - pen.measureText(input.value.slice(0, start)).width;""")
    check(0 < place < 16, f"the mistake under its sign: {place} pixels from it")
    box = page.driver.find_element(By.ID, "query")
    box.send_keys(*([Keys.BACKSPACE] * len(" && addres == 1")), Keys.ESCAPE, Keys.ENTER)
    page.wait("the answer", "return document.querySelector('#count') && document.querySelector('#count').innerText.includes(' of 999,999')")
    check(int(page.row(0)[3]) > 30, "a row of the query")
    page.click("#plan summary")
    page.wait("the plan", "return document.querySelector('.plan').innerText.includes('age')")


def sorts_and_hides(page):
    page.go("#/rows/Person")
    page.row(0)
    header = "//div[@role='columnheader'][.//span[text()='score']]"
    page.driver.find_element(By.XPATH, header).click()
    page.wait("the order", "return document.querySelector('[aria-sort=ascending]') && location.hash.includes('s=score')")
    low = float(page.row(0)[4])
    page.driver.find_element(By.XPATH, header).click()
    page.wait("the other order", "return document.querySelector('[aria-sort=descending]')")
    check(float(page.row(0)[4]) > low, "the greatest first")
    page.click(".columns summary")
    page.driver.find_element(By.XPATH, "//div[contains(@class,'choices')]//label[contains(.,'email')]/input").click()
    page.wait("a column less", "return ![...document.querySelectorAll('.head .name')].some((name) => name.innerText === 'email')")
    hash_before = page.run("return location.hash")
    page.driver.refresh()
    page.wait("the same after loading again", "return document.querySelector('[aria-sort=descending]')")
    expect(page.run("return location.hash"), hash_before, "the address of the view")
    check("email" not in page.text(".head"), "hidden columns stay hidden")


def widths(page):
    page.go("#/rows/Person")
    page.row(0)
    def width(name):
        return page.run("""const found = [...document.querySelectorAll(".head .cell")].find((cell) => cell.innerText.startsWith(arguments[0]));
          return found.getBoundingClientRect().width;""", name)
    before = width("name")
    grip = page.driver.find_element(By.XPATH, "//div[@role='columnheader'][.//span[text()='name']]/span[contains(@class,'grip')]")
    ActionChains(page.driver).drag_and_drop_by_offset(grip, 60, 0).perform()
    page.wait("the width in the address", "return location.hash.includes('cw=name')")
    expect(width("name"), before + 60, "the width after dragging")
    check(page.run("return !document.querySelector('[aria-sort=ascending]')"), "dragging sorts nothing")
    page.driver.refresh()
    page.row(0)
    expect(width("name"), before + 60, "the width after loading again")
    page.run("document.getElementById('grid').focus()")
    page.keys(Keys.HOME)
    page.keys(Keys.ARROW_RIGHT, "<")
    page.wait("a narrower column", "return location.hash.includes('cw=name%3A' + arguments[0])", round(before + 40))
    page.keys("=")
    page.wait("a width that fits", """const cells = [...document.querySelectorAll(".body .row:not([hidden])")].map((row) => row.children[2]);
      return cells.every((cell) => cell.scrollWidth <= cell.clientWidth) && cells[0].clientWidth < 180 && cells[0].clientWidth > 50;""")


def links(page):
    page.go("#/rows/Person?w=id+%3D%3D+4120")
    page.row(0)
    page.go("#/object/Person/4121")
    company = page.wait("the link", "const found = document.querySelector('[data-field=employer] a'); return found && found.innerText")
    page.click("[data-field=employer] a")
    page.wait("the target", "return document.querySelector('main h1') && document.querySelector('main h1').innerText.includes(arguments[0])", company)
    page.wait("the picture", "const found = document.querySelector('img.picture'); return found && found.src.startsWith('blob:') && found.naturalWidth === 48")
    page.wait("the inverse", "return document.querySelector('[data-inverse=\"Person.employer\"] li a')")
    first = page.text("[data-inverse='Person.employer'] li a")
    page.click("[data-inverse='Person.employer'] li a")
    page.wait("an object that links to it", "return document.querySelector('main h1') && document.querySelector('main h1').innerText.includes(arguments[0])", first)
    page.driver.back()
    page.wait("the way back", "return document.querySelector('main h1') && document.querySelector('main h1').innerText.includes(arguments[0])", company)


def texts_are_texts(page):
    page.go("#/rows/Note")
    expect(page.row(0)[1], '<script>document.title = "broken"</script>', "markup as text")
    expect(page.row(1)[1], "empty", "an empty text")
    page.go("#/object/Note/00000000-0000-0000-0000-000000000000")
    page.wait("markup as text", "return document.querySelector('[data-field=text]') && document.querySelector('[data-field=text]').innerText.includes('<script>')")
    check("broken" not in page.driver.title, "no script of a text runs")
    page.go("#/object/Note/00000000-0000-0000-0000-000000000002")
    page.click("[data-field=text] .fieldvalue button")
    page.wait("the whole text", "return document.querySelector('[data-field=text] pre').innerText.includes('Line 4000 of')")
    page.click("[data-field=recording] button")
    page.wait("bytes", "return document.querySelector('.hexview') && document.querySelector('.hexview').innerText.startsWith('00000000  00 01 02')")


def others(page):
    page.go("#/top/Person/address.city")
    page.wait("top values", "return document.querySelectorAll('main tbody tr').length === 7")
    page.click("main tbody a")
    page.wait("the rows of a value", "return document.querySelector('#count') && document.querySelector('#count').innerText.includes(' of 999,999')")
    page.go("#/space")
    page.wait("space", "return document.querySelectorAll('.spacetable').length === 3")
    page.go("#/versions?from=before+the+raise&compare=1")
    page.wait("the difference", "return document.querySelector('#difference') && document.querySelector('#difference').innerText.includes('0 new, 1 gone, 3 changed')")
    page.go("#/rows/Person?v=before+the+raise")
    page.wait("the kept version", "return document.querySelector('#count') && document.querySelector('#count').innerText === '1,000,000 objects'")


def changes(page):
    page.go("#/object/Person/7")
    old = page.wait("the name", "const found = document.querySelector('[data-field=name] .fieldvalue'); return found && found.innerText")
    page.click("[data-field=name] .edit")
    page.wait("the editor", "return document.activeElement.tagName === 'TEXTAREA'")
    editor = page.driver.find_element(By.CSS_SELECTOR, ".editor textarea")
    editor.clear()
    editor.send_keys("Somebody else")
    page.click(".editor button[type=submit]")
    page.wait("the change", "const found = document.querySelector('[data-field=name] .fieldvalue'); return found && found.innerText === 'Somebody else'")
    page.wait("undo", "return !document.getElementById('undo').disabled")
    page.click("#undo")
    page.wait("the old value", "const found = document.querySelector('[data-field=name] .fieldvalue'); return found && found.innerText === arguments[0]", old)
    page.wait("nothing to undo", "return document.getElementById('undo').disabled")
    # An object is added and deleted, each taken back.
    page.go("#/rows/Company")
    page.row(0)
    page.click("#add")
    for name, value in (("id", "new"), ("name", "New & Sons"), ("logo", ""), ("founded", "2001-01-01T00:00:00Z")):
        field = page.wait(name, "return document.getElementById('edit-' + arguments[0])", name)
        field.send_keys(value)
    page.click("dialog .main")
    page.wait("one more", "return !document.querySelector('dialog') && document.querySelector('#count').innerText === '41 objects'")
    page.go("#/object/Company/c1")
    page.click("#delete")
    page.click("dialog .danger")
    page.wait("one less", "return location.hash === '#/rows/Company' && document.querySelector('#count') && document.querySelector('#count').innerText === '40 objects'")
    page.click("#undo")
    page.wait("it is back", "return document.querySelector('#count').innerText === '41 objects'")
    page.click("#undo")
    page.wait("as before", "return document.querySelector('#count').innerText === '40 objects'")


def send(page, operation, body=b"{}", headers=None):
    """Sends an operation without the browser, and returns the status."""
    fields = {"Content-Type": "application/json", **({"X-Roost-Token": page.token} if headers is None else headers)}
    try:
        return urllib.request.urlopen(urllib.request.Request(f"{page.base}/api/{operation}", data=body, headers=fields)).status
    except urllib.error.HTTPError as error:
        return error.code


def watches(page):
    """Another page of the same server writes."""
    page.go("#/rows/Person?at=0")
    page.row(2)
    expect(send(page, "set", b'{"model":"Person","key":"3","field":"age","value":"99"}'), 200, "a write of somebody else")
    page.wait("the changed value", """const cell = document.querySelector("#row2 .cell.changed");
      return cell && cell.innerText === "99" && document.querySelectorAll(".body .changed").length === 1;""")
    page.click("#undo")
    page.wait("nothing to undo", "return document.getElementById('undo').disabled")


def refuses(page):
    def status(headers):
        return send(page, "overview", headers=headers)
    own = {"X-Roost-Token": page.token}
    expect(status(own), 200, "with the token")
    expect(status({}), 401, "without a token")
    expect(status({**own, "Host": "evil.example"}), 421, "with a foreign Host")
    expect(status({**own, "Origin": "http://evil.example"}), 403, "with a foreign Origin")
    check("token" not in page.run("return location.href"), "the token is erased from the address")


def is_accessible(page, axe):
    def findings(what):
        page.run(axe)
        found = page.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; axe.run().then((found) => done(found.violations), (error) => done([{ id: String(error), impact: 'critical', nodes: [] }]))")
        bad = [f"{entry['id']}: {[node['target'] for node in entry['nodes']][:3]}" for entry in found if entry["impact"] in ("serious", "critical")]
        check(not bad, f"accessibility, {what}: {bad}")
    views = {
        "rows": ("#/rows/Person", "#count"), "an object": ("#/object/Company/c5", "img.picture"), "the start": ("#/", "table"),
        "space": ("#/space", ".spacetable"), "versions": ("#/versions?from=before+the+raise&compare=1", "#difference"),
        "top values": ("#/top/Person/address.city", "main tbody"),
    }
    for width, scheme in ((1280, "light"), (1280, "dark"), (360, "light")):
        page.look(width, 800, scheme)
        for what, (fragment, selector) in views.items():
            page.go(fragment)
            page.wait(what, "return document.querySelector(arguments[0])", selector)
            if what == "rows":
                page.row(0)
            findings(f"{what}, {width} pixels, {scheme}")
            check(page.run("return document.documentElement.scrollWidth <= innerWidth"), f"{what} fits {width} pixels")
    page.look(1280, 800, "light")
    page.go("#/rows/Company")
    page.row(0)
    page.click("#add")
    page.wait("the dialog", "return document.querySelector('dialog[open]')")
    findings("the dialog")
    page.run("document.querySelector('dialog').close()")


def measure(page):
    """Prints the figures, none of which is a verdict."""
    page.driver.set_script_timeout(120)
    first = page.driver.execute_async_script("""
      const done = arguments[arguments.length - 1], began = performance.now();
      location.hash = "#/rows/Person";
      const look = () => document.querySelector("#row0:not(.waiting)") ? done(performance.now() - began) : requestAnimationFrame(look);
      look();""")
    jumps = page.driver.execute_async_script("""
      const done = arguments[arguments.length - 1], grid = document.getElementById("grid"), times = [];
      let seed = 7;
      const next = () => {
        if (times.length === 100) return done(times);
        seed = (seed * 48271) % 2147483647;
        const part = seed / 2147483647, began = performance.now();
        grid.scrollTop = part * (grid.scrollHeight - grid.clientHeight);
        const look = () => {
          const rows = [...document.querySelectorAll(".body .row")].filter((row) => !row.hidden);
          const isThere = rows.length > 10 && rows.every((row) => !row.classList.contains("waiting") && Math.abs(Number(row.id.slice(3)) - part * 999999) < 200);
          if (isThere) { times.push(performance.now() - began); next(); } else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      };
      next();""")
    def ask(body):
        return page.driver.execute_async_script("""
          const done = arguments[arguments.length - 1], began = performance.now();
          fetch("/api/rows", { method: "POST", headers: { "Content-Type": "application/json", "X-Roost-Token": arguments[0] }, body: arguments[1] })
            .then((answer) => answer.json()).then(() => done(performance.now() - began));""", page.token, body)
    sort = ask('{"model":"Person","sort":[{"field":"score"}],"from":0,"count":100}')
    pages = [ask('{"model":"Person","sort":[{"field":"score"}],"from":%d,"count":100}' % (place * 9_973)) for place in range(100)]
    with open(f"/proc/{page.server.pid}/status") as status:
        memory = {line.split()[0]: int(line.split()[1]) // 1024 for line in status if line.startswith(("VmRSS", "VmHWM"))}
    print(f"first rows:         {first:.0f} ms")
    print(f"a jump, 95 of 100:  {sorted(jumps)[94]:.0f} ms")
    print(f"an unindexed sort:  {sort:.0f} ms")
    print(f"its pages, 95 of 100: {sorted(pages)[94]:.0f} ms")
    print(f"the server:         {memory['VmRSS:']} MB, at most {memory['VmHWM:']} MB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("roost")
    parser.add_argument("sample")
    parser.add_argument("folder")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--axe", help="the script of axe-core")
    options = parser.parse_args()
    path = os.path.join(options.folder, "people.roost")
    if os.path.exists(path):
        os.remove(path)
    subprocess.run([options.sample, path, str(ROWS)], check=True)
    page = Page(options.roost, path)
    try:
        if options.measure:
            return measure(page)
        for test in (scrolls, keys_move, queries, sorts_and_hides, widths, links, texts_are_texts, others, refuses):
            began = time.monotonic()
            test(page)
            print(f"{test.__name__}: {time.monotonic() - began:.1f} s", flush=True)
        errors = [entry["message"] for entry in page.driver.get_log("browser") if entry["level"] == "SEVERE" and " 422 " not in entry["message"]]
        check(not errors, f"the browser complains: {errors}")
    finally:
        page.close()
    expect(page.server.returncode, 0, "the server ends with its input")
    page = Page(options.roost, path, "--write")
    try:
        for test in (changes, watches):
            test(page)
        if options.axe:
            with open(options.axe) as script:
                is_accessible(page, script.read())
    finally:
        page.close()
    print("All is well.")


main()

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { streamText } from '../fixtures/openai-scenarios';
import { editPlan, expectAnswer, planPython, PYTHON_PATIENCE, start } from './python-plan';
import { expect, test } from './podium';

const SECOND = 1_000;
const PATIENCE = PYTHON_PATIENCE;
const PYTHON_FILES = /\/(python-runtime|pyodide\.asm|python_stdlib)[^/]*$/;

test.setTimeout(240 * SECOND);

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('Python is downloaded at its first use, runs the code that an earlier step wrote, and then works offline', async ({
    page,
    podium,
    context,
    server,
  }) => {
    const fetched: string[] = [];
    context.on('request', (request) => void (PYTHON_FILES.test(request.url()) && fetched.push(request.url())));
    const code = 'from math import comb\nprint(f"{comb(20, 10)} ways")';
    server.script('coder@python', (exchange) =>
      streamText(exchange, `This counts them:\n\n\`\`\`python\n${code}\n\`\`\`\n\nRun it.`),
    );
    await podium.storeWorkers({ address: server.url, model: 'coder@python', name: 'Desk' });
    await page.getByRole('link', { name: 'Workers', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Python in the pool' }).check();
    await page.getByRole('link', { name: 'Conduct' }).click();
    await expect(podium.workers.getByRole('checkbox', { name: 'Python' })).toBeChecked();
    await podium.choose('Desk', 'Python');
    await podium.question.fill('In how many ways can ten of twenty people be chosen?');
    await editPlan(page, podium);
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.getByLabel('Worker of step 2').selectOption({ label: 'Python' });
    await page.getByLabel('Subtask of step 2').fill('Run it.');
    await page.getByRole('group', { name: 'Step 2 sees' }).getByLabel('step 1').check();
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active && active.state !== 'activated')
        await new Promise<void>((done) => active.addEventListener('statechange', () => done(), { once: true }));
    });
    expect(fetched, 'no file of Python is fetched before its first use').toEqual([]);
    await podium.run.click();
    await expect(podium.answer.getByText('184756 ways')).toBeVisible({ timeout: PATIENCE });
    const events = await podium.storedEvents();
    expect(events.findLast(({ type }) => type === 'step-finished')).toMatchObject({
      step: 1,
      output: 'Python printed:\n\n```text\n184756 ways\n```',
      usage: { input: 0, output: 0 },
      cost: 0,
    });
    expect(JSON.stringify(server.calls('coder@python')), 'the server receives no output of the code').not.toContain(
      '184756',
    );

    const addresses = [...new Set(fetched)].filter((address) => !address.endsWith('.map'));
    expect(addresses).toHaveLength(3);
    const kept = () =>
      page.evaluate(async (wanted) => {
        const found = await Promise.all(wanted.map((address) => caches.match(address, { ignoreVary: true })));
        return found.filter(Boolean).length;
      }, addresses);
    await expect.poll(kept, { timeout: PATIENCE }).toBe(3);
    let whole = 0;
    for (const address of addresses) {
      const size = gzipSync(await (await context.request.get(address)).body()).length;
      whole += size;
      console.log(`${new URL(address).pathname}: ${Math.round(size / 1024)} KiB gzipped`);
    }
    console.log(`Python in all: ${(whole / 2 ** 20).toFixed(1)} MiB gzipped`);
    expect(whole).toBeLessThan(7 * 2 ** 20);

    await context.setOffline(true);
    await page.reload();
    await planPython(page, podium);
    await expectAnswer(podium, 'print(7 * 8)', '56');
  });
});

test.describe('the sandbox', () => {
  let beacon: Server;
  let connections = 0;

  test.beforeEach(async () => {
    connections = 0;
    beacon = createServer((_request, response) => {
      response.writeHead(200, { 'access-control-allow-origin': '*' });
      response.end('reached');
    });
    beacon.on('connection', () => (connections += 1));
    await new Promise<void>((listening) => beacon.listen(0, '127.0.0.1', listening));
  });
  test.afterEach(() => new Promise<void>((closed) => void beacon.close(() => closed())));

  // The runs share a page, because the first start of Python takes most of the time. Each run has its own frame.
  test('cannot reach anything, write to the console or exceed its limits, and is stopped on request', async ({
    page,
    podium,
    context,
    baseURL,
  }) => {
    const hosts = new Set<string>();
    // Counts only answered requests, because the browser also reports requests that the CSP blocks. The URL of a
    // blob has no host.
    context.on('response', (response) => void hosts.add(new URL(response.url()).host || 'no host'));
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text().slice(0, 200)));
    const sandbox = page.locator('iframe');
    const output = async () =>
      String((await podium.storedEvents()).find(({ type }) => type === 'step-finished')?.['output']);
    await planPython(page, podium);

    await test.step('the network, the storage and the page', async () => {
      const { port } = beacon.address() as AddressInfo;
      await start(podium, attempts(`127.0.0.1:${port}`, new URL(baseURL ?? '').host));
      await expect(podium.answer.getByText('all tried')).toBeVisible({ timeout: PATIENCE });
      const printed = await output();
      const lines = printed.split('\n').filter((line) => / (blocked|REACHED)/.test(line));
      expect(lines.filter((line) => line.includes('REACHED'))).toEqual([]);
      expect(lines.length, printed).toBe(30);
      await expect(sandbox).toHaveAttribute('sandbox', 'allow-scripts');
    });

    await test.step('the console', () => expectAnswer(podium, FLOOD, 'written'));

    await test.step('an endless loop', async () => {
      await start(podium, 'print("before the loop")\nwhile True: pass');
      await expect(podium.stop).toBeVisible();
      // The page still responds.
      await page.getByRole('link', { name: 'Settings' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
      await page.getByRole('link', { name: 'Conduct' }).click();
      await expect(podium.answer.getByText(/did not end within 10 s and was stopped/)).toBeVisible({
        timeout: PATIENCE,
      });
      await expect(podium.answer.getByText('before the loop')).toBeVisible();
      await expect(sandbox).toHaveCount(1);
      await start(podium, 'while True: pass  # stopped by hand');
      await podium.stop.click();
      await expect(podium.answer.getByText(/Stopped/)).toBeVisible();
    });

    await test.step('failed code', async () => {
      const failing = 'try:\n    import numpy\nexcept ImportError as error:\n    print(error)\n';
      await expectAnswer(
        podium,
        `${failing}def half(x):\n    return x / 0\nhalf(3)`,
        /ZeroDivisionError: division by zero/,
      );
      await expect(podium.answer.getByText('return x / 0')).toBeVisible();
      await expect(podium.answer.getByText(/No module named 'numpy'/).first()).toBeVisible();
    });

    await test.step('the memory limit', async () => {
      const refused = 'try:\n    bytearray(2**30)\nexcept MemoryError:\n    print("refused")\n';
      const endless = 'kept = []\nwhile True:\n    kept.append(bytearray(10**6))';
      await expectAnswer(podium, refused + endless, /needed more than the 512 MB of memory/);
      expect(await output()).toContain('refused');
    });

    await test.step('the output limit', async () => {
      const endless = 'while True:\n    print("flood " * 100)';
      await expectAnswer(podium, endless, /printed or returned more than 32,768 characters/);
      const events = await podium.storedEvents();
      expect((await output()).length).toBeLessThan(34_000);
      expect(events.find(({ type }) => type === 'step-finished')).toMatchObject({ finishReason: 'length' });
    });

    for (const [name, code] of Object.entries(FORGERIES)) {
      await test.step(name, async () => {
        await expectAnswer(podium, code, /more than 32,768 characters|^The code failed:/);
        expect((await output()).length, code).toBeLessThan(2 * 32_768 + 200);
        await expect(sandbox).toHaveCount(1);
      });
    }

    // Connections and messages may arrive late, so these checks follow other runs.
    await expectAnswer(podium, 'print("still here")', 'still here');
    expect(messages.filter((text) => /flood/.test(text))).toEqual([]);
    expect(connections).toBe(0);
    expect([...hosts].filter((host) => host !== 'no host')).toEqual([new URL(baseURL ?? '').host]);
  });
});

/** Python programs that try to pass more data to the page than the runtime allows. */
const FORGERIES = {
  'a string with its own slices': `
class Text(str):
    def __getitem__(self, part):
        return self
class Value:
    def __repr__(self):
        return Text("x" * 8_000_000)
Value()`.trim(),
  'a driver that was replaced': `
import __main__
__main__.finished = lambda result=None: {"type": "finished", "result": "x" * 8_000_000}
__main__.str = type("", (), {"__getitem__": lambda text, part: "x" * 8_000_000})
1`.trim(),
  'an error of line breaks only': `
import __main__
__main__.failed = lambda message: {"type": "error", "message": "\\n" * 2**26}
__main__.explain = lambda error: "\\n" * 2**26
1 / 0`.trim(),
  'a decoder that was replaced': `
import js
from pyodide.ffi import create_proxy
js.TextDecoder.prototype.decode = create_proxy(lambda *_: "x" * 8_000_000)
js.String.prototype.slice = create_proxy(lambda *_: "x" * 8_000_000)
print("x" * 40_000)`.trim(),
} as const;

/**
 * Tries to write to the browser's console with its methods, uncaught errors, and requests that the
 * CSP blocks.
 */
const FLOOD = `
import asyncio, js
from pyodide.ffi import create_proxy

def attempt(do):
    try:
        do()
    except BaseException as error:
        print(type(error).__name__)

for name in list(js.Object.keys(js.console)):
    attempt(lambda: getattr(js.console, name)("flood " + name))
for number in range(100):
    js.console.log("flood " * 1000)
    attempt(lambda: js.reportError("flood"))
    attempt(lambda: js.fetch(f"http://127.0.0.1:9/flood{number}"))
    attempt(lambda: js.Promise.reject("flood"))
def fail():
    raise ValueError("flood")
js.setTimeout(create_proxy(fail), 0)
await asyncio.sleep(0.2)
print("written")
`.trim();

/**
 * Returns Python code that tries many ways to leave the sandbox.
 * @param beacon host and port of a server that the code must not reach
 * @param own host and port of the page
 */
function attempts(beacon: string, own: string): string {
  return `
import asyncio, js
from js import Object
from pyodide.ffi import to_js

async def attempt(name, do):
    try:
        value = do()
        if hasattr(value, "then"):
            value = await asyncio.wait_for(value, 2)
        print(name, "REACHED", repr(value)[:80])
    except BaseException as error:
        print(name, "blocked", type(error).__name__)

def request(address):
    sent = js.XMLHttpRequest.new()
    sent.open("GET", address, False)
    sent.send()
    return sent.status

async def connection(name, make):
    """Something that says only later whether it could connect."""
    opened = asyncio.Event()
    try:
        thing = make()
        thing.onopen = lambda _event: opened.set()
        await asyncio.wait_for(opened.wait(), 1)
        print(name, "REACHED")
    except BaseException as error:
        print(name, "blocked", type(error).__name__)

def urllib_open():
    import urllib.request
    return urllib.request.urlopen("http://${beacon}/urllib", timeout=1)

def socket_open():
    import socket
    plug = socket.create_connection(("127.0.0.1", ${beacon.split(':')[1]}), 1)
    plug.send(b"GET / HTTP/1.0\\r\\n\\r\\n")
    return plug.recv(10)

def pyfetch():
    from pyodide.http import pyfetch
    return asyncio.ensure_future(pyfetch("http://${beacon}/pyfetch"))

def run_js(code):
    from pyodide.code import run_js
    return run_js(code)

async def main():
    await attempt("fetch", lambda: js.fetch("http://${beacon}/fetch"))
    await attempt("fetch of the page's origin", lambda: js.fetch("http://${own}/index.html"))
    await attempt("fetch without cors", lambda: js.fetch("http://${beacon}/", to_js({"mode": "no-cors"}, dict_converter=Object.fromEntries)))
    await attempt("XMLHttpRequest", lambda: request("http://${beacon}/xhr"))
    await attempt("XMLHttpRequest to the page's origin", lambda: request("http://${own}/index.html"))
    await connection("WebSocket", lambda: js.WebSocket.new("ws://${beacon}/"))
    await connection("EventSource", lambda: js.EventSource.new("http://${beacon}/events"))
    await attempt("WebTransport", lambda: js.WebTransport.new("https://${beacon}/").ready)
    await attempt("FontFace", lambda: js.FontFace.new("font", "url(http://${beacon}/font)").load())
    await attempt("indexedDB", lambda: js.indexedDB.open("podium"))
    await attempt("caches", lambda: js.caches.keys())
    await attempt("file system", lambda: js.navigator.storage.getDirectory())
    await attempt("localStorage", lambda: js.localStorage.getItem("x"))
    await attempt("cookies", lambda: js.cookieStore.getAll())
    await attempt("locks", lambda: js.navigator.locks.query())
    await attempt("importScripts", lambda: js.importScripts("http://${beacon}/script.js"))
    await attempt("import", lambda: run_js("import('http://${beacon}/module.js')"))
    await attempt("eval", lambda: js.eval("1"))
    await attempt("parent", lambda: js.parent.document)
    await attempt("top", lambda: js.top.document)
    await attempt("document", lambda: js.document)
    await attempt("another worker", lambda: js.Worker.new("blob:nothing"))
    await attempt("postMessage", lambda: js.postMessage("hello"))
    await attempt("WebGL", lambda: js.OffscreenCanvas.new(1, 1).getContext("webgl2"))
    await attempt("canvas", lambda: js.OffscreenCanvas.new(1, 1).getContext("2d"))
    await attempt("WebGPU", lambda: js.navigator.gpu.requestAdapter())
    await attempt("video decoder", lambda: js.VideoDecoder.isConfigSupported)
    await attempt("urllib", urllib_open)
    await attempt("socket", socket_open)
    await attempt("pyfetch", pyfetch)
    print("all tried")

await main()
`.trim();
}

/**
 * @file The Python runtime, which runs in a Web Worker of the sandbox. Loads Python, runs one piece
 * of code at a time and reports each outcome. The build bundles this file with its imports, because
 * scripts in the sandbox cannot import other files.
 */
import './module-scope';
import { loadPyodide, type PyodideAPI } from 'pyodide';
import createPyodideModule from 'pyodide/pyodide.asm.mjs';
import { info } from 'pyodide/pyodide-lock.json';
import { LONGEST_ERROR, type RunOrder, type RuntimeFiles, type RuntimeMessage } from '../protocol';
import driver from './driver.py?raw';
import { dataOf, sliceText } from './early';
import { limitMemory, withhold } from './limits';
import { OutputGate } from './output-gate';

/**
 * A placeholder URL for Pyodide's files. `load` replaces `fetch` to answer requests below this URL.
 */
const NOWHERE = 'https://sandbox.invalid/';

addEventListener(
  'message',
  ({ data, ports: [port] }: MessageEvent<RuntimeFiles>) => {
    if (port) void serve(data, port);
  },
  { once: true },
);

async function serve(files: RuntimeFiles, port: MessagePort): Promise<void> {
  // Binds the method, so that untrusted code cannot intercept messages by replacing the method on
  // `MessagePort.prototype`.
  const send: (message: RuntimeMessage) => void = port.postMessage.bind(port);
  try {
    const python = await load(files);
    const snapshot = files.snapshot ? null : new Blob([new Uint8Array(python.makeMemorySnapshot())]);
    withhold();
    let isFirst = true;
    port.onmessage = (event: MessageEvent<RunOrder>) => {
      const order = dataOf(event);
      if (isFirst) limitMemory(order.memoryLimit);
      isFirst = false;
      void run(python, order, send);
    };
    send({ type: 'ready', ...(snapshot ? { snapshot } : {}) });
  } catch (thrown) {
    send({ type: 'failed', message: String(thrown).slice(0, LONGEST_ERROR) });
  }
}

async function load(files: RuntimeFiles): Promise<PyodideAPI> {
  globalThis.fetch = async (address) => {
    const isProgram = String(address).endsWith('.wasm');
    const headers = { 'content-type': isProgram ? 'application/wasm' : 'application/zip' };
    return new Response(isProgram ? files.wasm : files.standardLibrary, { headers });
  };
  const python = await loadPyodide({
    indexURL: NOWHERE,
    packageBaseUrl: NOWHERE,
    createPyodideModule,
    // The sandbox cannot fetch packages, so the lock file lists none.
    lockFileContents: JSON.stringify({ info, packages: {} }),
    env: { NO_COLOR: '1', PYTHONHASHSEED: '0' },
    ...(files.snapshot ? { _loadSnapshot: files.snapshot.arrayBuffer() } : { _makeSnapshot: true }),
  });
  // A snapshot already contains the functions of `driver.py`. It also contains the state of the random number
  // generator. Without a new seed, Python would draw the same numbers after each start from the snapshot.
  python.runPython(files.snapshot ? 'import random\nrandom.seed()\ndel random' : driver);
  return python;
}

async function run(python: PyodideAPI, order: RunOrder, send: (message: RuntimeMessage) => void): Promise<void> {
  const gate = new OutputGate(order.outputLimit, send);
  const crash = (thrown: unknown) => {
    gate.flush();
    if (gate.isOpen) send({ type: 'crashed', message: sliceText(String(thrown), 0, LONGEST_ERROR) });
  };
  try {
    onFatal(python, crash);
    // During the last piece of code, the output counts as a terminal (`isatty`), so Python flushes the output
    // after each line. During other pieces, Python flushes the output only every 8 kB, which is faster. If such a
    // piece is stopped, the output since the last flush is lost.
    const isatty = order.isLast;
    python.setStdout({ write: gate.writer('stdout'), isatty });
    python.setStderr({ write: gate.writer('stderr'), isatty });
    let unread = order.stdin === '' ? null : order.stdin;
    python.setStdin({
      stdin: () => {
        const text = unread;
        unread = null;
        return text;
      },
    });
    // The driver cuts the text of the result. The cut text may be one character longer than the limit, so that
    // `gate` detects a result that is too long.
    const end = await python.globals.get('run')(order.code, order.outputLimit + 1, !order.isLast);
    // Untrusted code may have replaced `run` or `get`, so these two values can have any type.
    const [kind, text]: [unknown, unknown] = [end.get(0), end.get(1)];
    if (kind === 'finished' && typeof text === 'string') gate.write('result', text);
    gate.flush();
    if (gate.isOpen) send(endMessage(kind, text));
  } catch (thrown) {
    crash(thrown);
  }
}

/**
 * Sets the function that Pyodide calls when the interpreter has ended: after `os._exit`, an abort, or an overflow of the stack.
 * In these cases, the promise of the code that was running never settles.
 */
function onFatal(python: PyodideAPI, listener: (thrown: unknown) => void): void {
  const internals: unknown = Reflect.get(python, '_api');
  if (typeof internals === 'object' && internals !== null) Reflect.set(internals, 'on_fatal', listener);
}

function endMessage(kind: unknown, text: unknown): RuntimeMessage {
  if (kind === 'finished' || kind === 'memory-limit') return { type: kind };
  return { type: 'error', message: typeof text === 'string' ? sliceText(text, -LONGEST_ERROR) : '' };
}

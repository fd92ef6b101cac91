/**
 * @file The guard between the page and the Python runtime. The guard and the runtime are two Web Workers inside the sandbox. The
 * code in the runtime can forge messages of any size. The guard receives these messages, so they don't block the page's thread.
 * The first message that exceeds a limit ends the runtime. No untrusted code runs in the guard.
 */
import { WORKER_POLICY } from '../frame';
import { allowsNextPiece, endsPiece, MessageMeter } from '../message-meter';
import { LONGEST_ERROR, type RunOrder, type RuntimeFiles, type RuntimeMessage } from '../protocol';

addEventListener(
  'message',
  ({ data, ports: [page] }: MessageEvent<RuntimeFiles>) => {
    if (page) guard(data, page);
  },
  { once: true },
);

function guard(files: RuntimeFiles, page: MessagePort): void {
  const runtime = new Worker(workerAddress(files.script));
  const { port1: port, port2: runtimePort } = new MessageChannel();
  let meter = new MessageMeter(0);
  let state: 'loading' | 'waiting' | 'running' = 'loading';
  let isLast = true;

  const send = (message: RuntimeMessage): void => page.postMessage(message);
  const end = (message: RuntimeMessage): void => {
    runtime.terminate();
    port.close();
    send(message);
  };

  runtime.onerror = (event) => {
    // Keeps the browser from also reporting the error to the sandbox's frame. The text of the error can be very
    // long.
    event.preventDefault();
    if (state === 'loading')
      end({ type: 'failed', message: `The Web Worker failed. ${event.message}`.slice(0, LONGEST_ERROR) });
  };
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    // The runtime sends nothing between two pieces of code, so a message in this state is forged.
    const message: RuntimeMessage = state === 'waiting' ? { type: 'tampered' } : meter.read(data);
    if (state === 'loading' && message.type === 'ready') {
      state = 'waiting';
      send(message);
    } else if (!endsPiece(message)) send(message);
    else if (state === 'running' && !isLast && allowsNextPiece(message)) {
      state = 'waiting';
      send(message);
    } else end(message);
  };
  page.onmessage = ({ data }: MessageEvent<RunOrder>) => {
    state = 'running';
    ({ isLast } = data);
    meter = new MessageMeter(data.outputLimit);
    port.postMessage(data);
  };
  runtime.postMessage(files, [runtimePort]);
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(input: string): string };
}

/** Returns the URL for the Web Worker. In browsers with Trusted Types, a plain string would be rejected. */
function workerAddress(script: Blob): string {
  const address = URL.createObjectURL(script);
  const { trustedTypes }: { trustedTypes?: PolicyFactory | undefined; URL: unknown } = globalThis;
  return trustedTypes?.createPolicy(WORKER_POLICY, { createScriptURL: () => address }).createScriptURL('') ?? address;
}

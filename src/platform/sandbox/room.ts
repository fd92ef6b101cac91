/**
 * @file Opens a room of the sandbox: a hidden frame with its own origin. In the frame, one Web Worker runs
 * Python. A second Web Worker, the guard, checks all messages from Python. A port connects the page to the
 * guard. Each room serves one run or one session. Closing the room ends the code that runs there.
 */
import guardSource from 'virtual:sandbox-guard';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { markupPolicy } from '../trusted-types';
import { BOOTSTRAP, frameDocument } from './frame';
import { MessageMeter } from './message-meter';
import type { RuntimeFiles } from './protocol';

export interface Room {
  readonly port: MessagePort;
  /** A snapshot of Python's memory, taken before any code ran. `null` if the room itself was started from a snapshot. */
  readonly snapshot: Blob | null;
  close(): void;
}

const frameMarkup = markupPolicy('podium-sandbox', frameDocument);

/**
 * Opens a room and resolves when the room can run code. If the room cannot be opened, removes its frame and
 * rejects with an `Error`.
 */
export async function openRoom(files: RuntimeFiles): Promise<Room> {
  const frame = document.createElement('iframe');
  frame.sandbox.add('allow-scripts');
  frame.hidden = true;
  frame.title = 'Sandbox';
  frame.srcdoc = frameMarkup(`sha256-${base64(sha256(utf8ToBytes(BOOTSTRAP)))}`);
  const talk = new MessageChannel();
  const alarm = new MessageChannel();
  const close = () => {
    talk.port1.close();
    alarm.port1.close();
    frame.remove();
  };
  let snapshot: Blob | null;
  try {
    await new Promise<void>((loaded) => {
      frame.addEventListener('load', () => loaded(), { once: true });
      document.body.append(frame);
    });
    snapshot = await new Promise<Blob | null>((ready, fail) => {
      alarm.port1.onmessage = ({ data }) => fail(new Error(`The Web Worker failed. ${String(data)}`));
      talk.port1.onmessage = ({ data }) => {
        const message = new MessageMeter(0).read(data);
        if (message.type === 'ready') ready(message.snapshot ?? null);
        else
          fail(new Error(message.type === 'failed' ? message.message : 'The sandbox did not report that it is ready.'));
      };
      const order = { guard: new Blob([guardSource], { type: 'text/javascript' }), files };
      // The target is `*`, because an opaque origin cannot be named as a target.
      frame.contentWindow?.postMessage(order, '*', [talk.port2, alarm.port2]);
    });
    // Copies the snapshot, because a Blob from the room's Web Worker can't be read after the room is closed.
    if (snapshot) snapshot = new Blob([await snapshot.arrayBuffer()]);
  } catch (thrown) {
    close();
    throw thrown;
  }
  return { port: talk.port1, snapshot, close };
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

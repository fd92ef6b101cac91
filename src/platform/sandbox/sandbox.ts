/**
 * @file Creates the page's code runner. It runs Python in isolated frames, called rooms (see `room.ts`). Each run and each
 * session gets a new room.
 */
import type { Clock, CodeRunner } from '../../core/contract';
import { createCodeRunner } from './code-runner';
import { openRoom, type Room } from './room';
import wasmAddress from 'pyodide/pyodide.asm.wasm?url';
import libraryAddress from 'pyodide/python_stdlib.zip?url';
import scriptAddress from 'virtual:python-runtime';
import type { RuntimeFiles } from './protocol';

/** The first room returns a snapshot of Python's memory before it runs any code. All later rooms start from this snapshot. */
export function createSandbox(clock: Clock): CodeRunner {
  let snapshot: Blob | null = null;
  const openNext = async (): Promise<Room> => {
    const files = await fetchPython();
    if (snapshot) {
      try {
        return await openRoom({ ...files, snapshot });
      } catch {
        // The browser may have discarded the snapshot, for example because the disk is full.
        snapshot = null;
      }
    }
    const room = await openRoom(files);
    ({ snapshot } = room);
    return room;
  };
  return createCodeRunner({ openRoom: openNext, clock });
}

// Fetches the files of the Python runtime (Pyodide) from the page's own origin. The browser
// and the service worker cache these files, so `fetchPython` has no cache.

/** Rejects with an `Error` if a file cannot be fetched. */
export async function fetchPython(): Promise<RuntimeFiles> {
  const [script, wasm, standardLibrary] = await Promise.all([
    fetchBlob(scriptAddress, 'text/javascript'),
    fetchBlob(wasmAddress, 'application/wasm'),
    fetchBlob(libraryAddress, 'application/zip'),
  ]);
  return { script, wasm, standardLibrary };
}

async function fetchBlob(address: string, type: string): Promise<Blob> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} for ${new URL(address, location.href).pathname}`);
  return new Blob([await response.arrayBuffer()], { type });
}

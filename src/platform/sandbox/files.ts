/**
 * @file Fetches the files of the Python runtime (Pyodide) from the page's own origin. The browser
 * and the service worker cache these files, so this module has no cache.
 */
import wasmAddress from 'pyodide/pyodide.asm.wasm?url';
import libraryAddress from 'pyodide/python_stdlib.zip?url';
import scriptAddress from 'virtual:python-runtime';
import type { RuntimeFiles } from './protocol';

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

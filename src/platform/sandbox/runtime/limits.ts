/**
 * @file Removes and limits functions before untrusted code runs. The frame's origin and policy block the network, storage and the
 * page, and code in the frame cannot remove these limits. This file covers functions that the origin and the policy leave open,
 * and functions whose blocked calls the browser would log.
 */

import { preventDefault } from './early';

/** Bytes of a page of WebAssembly's memory. */
const PAGE = 65_536;

/** Classes and functions that use the GPU or video hardware. */
const GRAPHICS = [
  'OffscreenCanvas',
  'OffscreenCanvasRenderingContext2D',
  'WebGLRenderingContext',
  'WebGL2RenderingContext',
  'ImageBitmapRenderingContext',
  'ImageBitmap',
  'createImageBitmap',
  'GPU',
  'ML',
  'ImageDecoder',
  'VideoDecoder',
  'VideoEncoder',
  'VideoFrame',
];

/**
 * Classes and functions that send requests. The policy blocks every request, but each blocked request is logged in the console.
 */
const NETWORK = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'FontFace'];

/**
 * Removes functions that could flood the guard or the console, start more Web Workers, or end this Web Worker unnoticed. Also
 * removes access to the GPU, where a local model may run.
 */
export function withhold(): void {
  removeFromScope('postMessage', 'close', 'Worker', 'reportError', ...NETWORK, ...GRAPHICS);
  for (const name of ['gpu', 'ml']) Reflect.deleteProperty(Object.getPrototypeOf(navigator) as object, name);
  for (const type of ['error', 'unhandledrejection']) addEventListener(type, preventDefault);
}

/**
 * Replaces every method of a console with a function that does nothing, because the browser stores console messages of any size
 * and sends them to the page's process. Must be called before Pyodide loads. Pyodide keeps references to some of these methods,
 * and the code could reach these references.
 */
export function silence(target: object): void {
  for (let owner: object | null = target; owner && owner !== Object.prototype; owner = prototypeOf(owner)) {
    for (const name of Reflect.ownKeys(owner)) {
      if (typeof Reflect.get(owner, name) === 'function') Reflect.set(owner, name, () => undefined);
    }
  }
}

function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null;
}

/** Deletes names from the Web Worker's global scope and from the prototypes of this scope. */
export function removeFromScope(...names: string[]): void {
  for (let scope: object | null = globalThis; scope; scope = prototypeOf(scope)) {
    for (const name of names) Reflect.deleteProperty(scope, name);
  }
}

/**
 * Limits the interpreter's memory. A larger allocation fails, which Python raises as `MemoryError`.
 * @param limit bytes
 */
export function limitMemory(limit: number): void {
  const grow = WebAssembly.Memory.prototype.grow;
  const bounded = function (this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE > limit) throw new RangeError('The memory limit is reached.');
    return grow.call(this, pages);
  };
  Object.defineProperty(WebAssembly.Memory.prototype, 'grow', { value: bounded });
}

/**
 * @file What the runtime takes away before foreign code runs. The network, storage and the page are kept out by the frame's
 * origin and policy, which nothing in here could lift; this is about what they leave.
 */

const PAGE = 65_536;

/** What draws or computes on the GPU or on video hardware. */
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

/** Removes what would fill the guard's inbox, start more workers, end without a word, or use the GPU, where a model may run. */
export function withhold(): void {
  takeFromScope('postMessage', 'close', 'Worker', ...GRAPHICS);
  for (const name of ['gpu', 'ml']) Reflect.deleteProperty(Object.getPrototypeOf(navigator) as object, name);
}

/** Deletes names of the worker's global scope, wherever in its line of prototypes they stand. */
export function takeFromScope(...names: string[]): void {
  for (let scope: object | null = globalThis; scope; scope = Object.getPrototypeOf(scope) as object | null) {
    for (const name of names) Reflect.deleteProperty(scope, name);
  }
}

/**
 * Keeps the interpreter's memory below a limit: an allocation beyond it is refused, which Python raises as `MemoryError`.
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

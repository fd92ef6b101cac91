/**
 * @file What the runtime takes away before foreign code runs. The network, storage and the page are kept out by the frame's
 * origin and policy, which nothing in here could lift; this is about what they leave.
 */

const PAGE = 65_536;

/** Takes away what would fill the frame's inbox, make more workers, or leave without a word. */
export function withhold(): void {
  takeFromScope('postMessage', 'close', 'Worker');
  // Foreign code has no business on the GPU, where a model may be at work.
  Reflect.deleteProperty(Object.getPrototypeOf(navigator) as object, 'gpu');
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

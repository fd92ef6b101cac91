import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseTarget } from '../../../src/app/state/save-file';

const MB = 1024 * 1024;

describe('a saved file in a browser without a file picker', () => {
  let saved: Blob[] = [];

  beforeEach(() => {
    saved = [];
    vi.stubGlobal('showSaveFilePicker', undefined);
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      if (file instanceof Blob) saved.push(file);
      return 'blob:saved';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  /** A stream of 3 MB pieces. Each piece is filled with its index. */
  function streamOfPieces(count: number, onpiece: (piece: number) => void = () => {}, oncancel: () => void = () => {}) {
    let piece = 0;
    return new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (piece === count) return controller.close();
        controller.enqueue(new Uint8Array(3 * MB).fill(piece));
        onpiece(piece++);
      },
      cancel: oncancel,
    });
  }

  async function save(stream: ReadableStream<Uint8Array<ArrayBuffer>>, signal = new AbortController().signal) {
    const target = await chooseTarget('runs.podium.jsonl');
    await target?.write(stream, signal);
  }

  it('contains all bytes of the stream, in order', async () => {
    await save(streamOfPieces(7));
    const [file] = saved;
    const bytes = new Uint8Array((await file?.arrayBuffer()) ?? []);
    expect(bytes.length).toBe(21 * MB);
    const firsts = Array.from({ length: 21 }, (_, part) => bytes[part * MB]);
    expect(firsts).toEqual(Array.from({ length: 21 }, (_, part) => Math.floor(part / 3)));
  });

  it('is empty if the stream is empty', async () => {
    await save(streamOfPieces(0));
    expect(saved.map(({ size }) => size)).toEqual([0]);
  });

  it('is discarded when the user cancels, and the stream is cancelled too', async () => {
    const stop = new AbortController();
    const cancelled = vi.fn();
    const stream = streamOfPieces(7, (piece) => piece === 3 && stop.abort(), cancelled);
    await expect(save(stream, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(cancelled).toHaveBeenCalledOnce();
    expect(saved).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { FaultError, sha256HexOfBytes } from '../../../src/core/contract';
import { LONGEST_SIDE, prepareImage } from '../../../src/platform/images/prepare-image';

async function picture(width: number, height: number, type: string, paint = 'teal'): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = paint;
  context.fillRect(0, 0, width / 2, height);
  return canvas.convertToBlob({ type });
}

/** A JPEG with a location in its metadata, as cameras write it. */
async function withPlace(): Promise<Blob> {
  const bytes = new Uint8Array(await (await picture(40, 30, 'image/jpeg')).arrayBuffer());
  const note = new TextEncoder().encode('Exif\0\0 taken at 52.5200 N 13.4050 E');
  const segment = new Uint8Array([0xff, 0xe1, 0, note.length + 2, ...note]);
  return new Blob([bytes.slice(0, 2), segment, bytes.slice(2)], { type: 'image/jpeg' });
}

const messageOf = (file: Blob) =>
  prepareImage(file).then(
    () => 'taken',
    (thrown: unknown) => (thrown instanceof FaultError ? thrown.fault.message : String(thrown)),
  );

describe('preparing an image', () => {
  it('keeps the format and size of a small PNG, and computes the SHA-256 of the new bytes', async () => {
    const image = await prepareImage(await picture(120, 80, 'image/png'));
    expect(image).toMatchObject({ type: 'image/png', width: 120, height: 80, size: image.bytes.length });
    expect(image.hash).toBe(sha256HexOfBytes(image.bytes));
  });

  it('scales a large image down to `LONGEST_SIDE`, and keeps its aspect ratio', async () => {
    const image = await prepareImage(await picture(4000, 1000, 'image/jpeg'));
    expect(image).toMatchObject({ type: 'image/jpeg', width: LONGEST_SIDE, height: LONGEST_SIDE / 4 });
    const drawn = await createImageBitmap(new Blob([image.bytes], { type: image.type }));
    expect([drawn.width, drawn.height]).toEqual([LONGEST_SIDE, LONGEST_SIDE / 4]);
  });

  it('converts a small WebP image to PNG', async () => {
    expect(await prepareImage(await picture(20, 20, 'image/webp'))).toMatchObject({ type: 'image/png', width: 20 });
  });

  it('removes metadata such as the location', async () => {
    const file = await withPlace();
    const textOf = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);
    expect(textOf(new Uint8Array(await file.arrayBuffer()))).toContain('52.5200 N');
    expect(textOf((await prepareImage(file)).bytes)).not.toContain('52.5200 N');
  });

  it('explains why a file is rejected', async () => {
    expect(await messageOf(new Blob(['hello'], { type: 'text/plain' }))).toContain('PNG, JPEG, WebP or GIF');
    expect(await messageOf(new Blob(['hello'], { type: 'image/png' }))).toContain('Couldn’t read this image');
    expect(await messageOf(new Blob([new Uint8Array(31 * 1024 * 1024)], { type: 'image/png' }))).toContain('30 MB');
  });
});

/** @file Reads the type and the size of an image from its first bytes, without decoding it. */
import type { ImageFile } from '../../../core/contract';

export type ImageSize = Pick<ImageFile, 'type' | 'width' | 'height'>;

/** @returns `null` if the bytes are no PNG, JPEG or WebP image */
export function imageSize(bytes: Uint8Array): ImageSize | null {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = pngSize(data) ?? webpSize(data) ?? jpegSize(data);
  return size && size.width > 0 && size.height > 0 ? size : null;
}

function pngSize(data: Buffer): ImageSize | null {
  if (data.length < 24 || data.toString('latin1', 1, 8) !== 'PNG\r\n\x1a\n') return null;
  return { type: 'image/png', width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}

/** The kinds of the first chunk: lossy, lossless, and extended. */
function webpSize(data: Buffer): ImageSize | null {
  if (data.length < 30 || data.toString('latin1', 0, 4) !== 'RIFF') return null;
  const type = 'image/webp';
  switch (data.toString('latin1', 8, 16)) {
    case 'WEBPVP8 ':
      return { type, width: data.readUInt16LE(26) & 0x3f_ff, height: data.readUInt16LE(28) & 0x3f_ff };
    case 'WEBPVP8L': {
      const bits = data.readUInt32LE(21);
      return { type, width: (bits & 0x3f_ff) + 1, height: ((bits >>> 14) & 0x3f_ff) + 1 };
    }
    case 'WEBPVP8X':
      return { type, width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/** Walks over the segments to the first one that describes the frame. */
function jpegSize(data: Buffer): ImageSize | null {
  if (data.length < 4 || data.readUInt16BE(0) !== 0xff_d8) return null;
  for (let at = 2; at + 9 <= data.length && data[at] === 0xff; at += 2 + data.readUInt16BE(at + 2)) {
    const marker = data[at + 1] ?? 0;
    // The markers c4, c8 and cc in this range have other meanings.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: 'image/jpeg', width: data.readUInt16BE(at + 7), height: data.readUInt16BE(at + 5) };
  }
  return null;
}

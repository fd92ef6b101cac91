import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { inflateBase64 } from '../../../src/platform/datasets/inflate';
import { signal } from './harness';

test('rejects data that decompresses to more than 256 MB', async () => {
  const bomb = deflateSync(Buffer.alloc(257 * 1024 * 1024)).toString('base64');
  await expect(inflateBase64(bomb, signal())).rejects.toThrow('more than 256 MB');
});

import { describe, expect, it } from 'vitest';
import { FaultError, type Message } from '../../../src/core/contract';
import { chatMessage, withImages } from '../../../src/platform/workers/sent-message';
import { imageFile, memoryImages } from '../../fixtures/memory-images';

const IMAGE = imageFile('picture');
const requested: Message = { role: 'user', content: 'What is this?', images: [IMAGE.hash] };

describe('a message that may have images', () => {
  it('is sent as text followed by data URLs of its images, if it has any', async () => {
    const images = memoryImages();
    await images.put(IMAGE);
    const [sent = requested] = await withImages([requested], images);
    expect(chatMessage(sent)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${btoa('picture')}` } },
      ],
    });
  });

  it('keeps every byte of a large image', async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
    const large = imageFile('large', { bytes });
    const images = memoryImages();
    await images.put(large);
    const [sent] = await withImages([{ ...requested, images: [large.hash] }], images);
    const [, data = ''] = sent?.imageUrls?.[0]?.split(',') ?? [];
    expect(Buffer.from(data, 'base64').equals(Buffer.from(bytes))).toBe(true);
  });

  it('is sent as plain text, which every server accepts, if it has no images', () => {
    expect(chatMessage({ role: 'user', content: 'Hello' })).toEqual({ role: 'user', content: 'Hello' });
    expect(chatMessage({ role: 'system', content: 'Be brief', imageUrls: [] })).toEqual({
      role: 'system',
      content: 'Be brief',
    });
  });

  it('is rejected with a non-retryable fault if an image is not stored', async () => {
    const lost = withImages([requested], memoryImages());
    await expect(lost).rejects.toBeInstanceOf(FaultError);
    await expect(lost).rejects.toMatchObject({ fault: { code: 'bad-request', retryable: false } });
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';

const picture = z.object({ src: z.string(), sizes: z.string(), type: z.string() });
const Manifest = z.object({
  start_url: z.literal('./'),
  scope: z.literal('./'),
  display: z.literal('standalone'),
  icons: z.array(z.extend(picture, { purpose: z.enum(['any', 'maskable']) })),
  screenshots: z.array(z.extend(picture, { form_factor: z.enum(['wide', 'narrow']), label: z.string() })),
});

/** Reads the size in the header of a PNG file, in the manifest's format, such as `512x512`. */
function sizesOf(file: string): string {
  const bytes = readFileSync(join('public', file));
  expect(bytes.toString('latin1', 1, 4), file).toBe('PNG');
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
}

test('the web manifest lists the icons and screenshots for installation, with their real sizes', () => {
  const manifest = Manifest.parse(JSON.parse(readFileSync('public/manifest.webmanifest', 'utf8')));
  for (const { src, sizes, type } of [...manifest.icons, ...manifest.screenshots]) {
    if (type === 'image/png') expect(sizes, src).toBe(sizesOf(src));
  }
  const icons = manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`);
  expect(icons).toEqual(expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']));
  expect(manifest.screenshots.map((each) => each.form_factor).sort()).toEqual(['narrow', 'wide']);
});

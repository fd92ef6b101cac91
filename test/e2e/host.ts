/**
 * @file Serves the built page while the journeys run, with the headers of a real host. Unlike with `vite preview`, the
 * browser may keep scripts across reloads.
 */
import { readFile } from 'node:fs/promises';
import { readHeadersFile } from '../fixtures/host-rules';
import { startStaticHost } from '../fixtures/static-host';

/** The port of the page. Set another `PORT` to test two checkouts at the same time. */
export const PAGE_PORT = Number(process.env['PORT'] ?? 4173);

/** Playwright calls this before the first journey. @returns a function that Playwright calls after the last journey */
export default async function serve(): Promise<() => Promise<void>> {
  const host = await startStaticHost(PAGE_PORT);
  host.headers = readHeadersFile(await readFile('dist/_headers', 'utf8'));
  return () => host.close();
}

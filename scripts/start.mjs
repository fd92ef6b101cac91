// `npm start`: builds the page, serves it on this machine and prints its URL. Opens the URL in a
// browser if the machine has a display and `CI` is not set.
import { build, preview } from 'vite';

const hasDisplay =
  process.platform === 'darwin' ||
  process.platform === 'win32' ||
  Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);

console.log('Building Podium …');
await build({ logLevel: 'warn' });
const server = await preview({
  logLevel: 'warn',
  preview: { host: '127.0.0.1', port: Number(process.env.PORT ?? 4173), open: hasDisplay && !process.env.CI },
});
const [url] = server.resolvedUrls?.local ?? [];
console.log(`Podium is at ${url}\nPress Ctrl+C to stop.`);

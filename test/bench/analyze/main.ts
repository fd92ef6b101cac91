/**
 * @file Measures in a Web Worker how fast the figures of the *Analyze* page are computed. The baseline is plain loops over
 * arrays of objects. `scripts/bench-analyze.mjs` opens this page and prints its console output. The URL's hash is the number
 * of runs (default: 100,000).
 */
declare global {
  var benchDone: boolean | undefined;
}

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
worker.addEventListener('message', ({ data }: MessageEvent<string | null>) => {
  if (data === null) globalThis.benchDone = true;
  else console.log(data);
});
worker.addEventListener('error', ({ message }) => console.log(message));
worker.postMessage(Number(location.hash.slice(1)) || 100_000);

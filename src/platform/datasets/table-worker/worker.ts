/** @file The Web Worker that opens or reads one table. */
import { serveTable } from './serve-table';

const receive = serveTable((report) => self.postMessage(report));
self.addEventListener('message', ({ data }: MessageEvent<unknown>) => receive(data));

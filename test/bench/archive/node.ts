/** @file Writes made-up runs to a file in Podium's export format: `node.js <path> <number of runs>`. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { drawsFrom } from '../index/archive';
import { eventsOf } from '../index/run-events';

const [path = '', runs = ''] = process.argv.slice(2);

function* lines(): Generator<string> {
  const draw = drawsFrom(3);
  for (let index = 0; index < Number(runs); index++) {
    const events = eventsOf(index, draw, { hasDeltas: false });
    yield `${JSON.stringify({ format: 'podium-run', version: 1, events })}\n`;
  }
}

await pipeline(Readable.from(lines()), createGzip({ level: 1 }), createWriteStream(path));

/** @file The policy's benchmark in Node. */
import { benchPolicy } from './bench';

console.log(`\nNode ${process.version}`);
await benchPolicy((line) => console.log(line));

/**
 * @file Runs the policy benchmark in a browser. `scripts/bench-policy.mjs` opens this page, prints its console output, and
 * waits for `benchDone`.
 */
import { benchPolicy } from './bench';

try {
  await benchPolicy((line) => console.log(line));
} catch (thrown) {
  console.error('The policy could not be measured.', thrown);
}
globalThis.benchDone = true;

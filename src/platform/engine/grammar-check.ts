/**
 * @file Checks a grammar before it is passed to an engine. Engines don't report invalid grammars
 * clearly: WebLLM hangs, and web-xgrammar reports only "aborted".
 */
import { fault, FaultError, type Fault } from '../../core/contract';
import { loadXGrammar } from './xgrammar';

/** The last valid grammar. Cached, because a Conductor uses the same grammar many times. */
let lastGood: string | null = null;

/**
 * Resolves if `grammar` is valid, and throws a `FaultError` (`bad-request`) if it is invalid. The
 * fault has no details, because xgrammar writes its error only to the console.
 */
export async function checkGrammar(grammar: string): Promise<void> {
  if (grammar === lastGood) return;
  const { Grammar } = await loadXGrammar();
  try {
    const parsed = await Grammar.fromEBNF(grammar);
    parsed.dispose();
  } catch {
    throw new FaultError(badGrammar());
  }
  lastGood = grammar;
}

function badGrammar(): Fault {
  const message =
    'The grammar of the plan is invalid, so no model was called. Turn the grammar off on Models, then try again.';
  return fault('bad-request', message);
}

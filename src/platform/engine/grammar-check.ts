/**
 * @file Compiles a grammar before an engine gets it, because engines don't report an invalid grammar clearly: WebLLM never
 * answers again, and web-xgrammar only reports "aborted".
 */
import { fault, FaultError, type Fault } from '../../core/contract';
import { loadXGrammar } from './xgrammar';

/** The last valid grammar. It is not compiled again, because a Conductor uses the same grammar many times. */
let lastGood: string | null = null;

/**
 * Resolves if `grammar` can be compiled. Throws a `FaultError` (`bad-request`) if it cannot. The fault has no details, because
 * xgrammar writes its error only to the console.
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

/**
 * @file Loads web-xgrammar, the matcher that both engines' grammars are written for, when it is first needed (0.4 MB).
 */
import { loadOnce } from '../../core/contract';
import type * as XGrammar from '@mlc-ai/web-xgrammar';

declare global {
  // Its build is UMD inside a package that calls itself a module: a bundler finds no exports, and it leaves them here.
  var xgrammar: typeof XGrammar | undefined;
}

export const loadXGrammar = loadOnce(load, 'the grammar engine');

async function load(): Promise<typeof XGrammar> {
  const imported = await import('@mlc-ai/web-xgrammar');
  const module = 'GrammarCompiler' in imported ? imported : globalThis.xgrammar;
  if (!module) throw new Error('web-xgrammar has left no exports.');
  // Its first call starts its WebAssembly. Two first calls at once would start two, and what one makes the other cannot use.
  const first = await module.Grammar.fromEBNF('root ::= "a"');
  first.dispose();
  return module;
}

/**
 * @file Lazy-loads web-xgrammar (0.4 MB), which checks grammars for WebLLM and transformers.js, and enforces them for
 * transformers.js.
 */
import { loadOnce } from '../../core/contract';
import type * as XGrammar from '@mlc-ai/web-xgrammar';

declare global {
  // The package is marked as ESM, but its file is UMD. So bundlers find no exports, and the file sets this global instead.
  var xgrammar: typeof XGrammar | undefined;
}

export const loadXGrammar = loadOnce(load, 'the grammar engine');

async function load(): Promise<typeof XGrammar> {
  const imported = await import('@mlc-ai/web-xgrammar');
  const module = 'GrammarCompiler' in imported ? imported : globalThis.xgrammar;
  if (!module) throw new Error('web-xgrammar set no exports.');
  // The first call creates the library's WebAssembly instance. Two concurrent first calls would create two instances, which can't
  // share objects.
  const first = await module.Grammar.fromEBNF('root ::= "a"');
  first.dispose();
  return module;
}

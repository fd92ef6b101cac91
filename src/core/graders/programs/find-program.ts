/** @file Finds the Python program in an answer. */
import type { GradingProfile } from '../../contract';
import { fencedCode, isPython } from '../../contract/worker/fenced-code';
import { firstTagged, lastTagged } from '../answer-tags';
import { artefactUnitProgram } from './artefact-unit-program';
import type { ProgramKind } from './program-task';

/**
 * Returns the program in an answer, or `null` if there is none.
 *
 * `strict`: the last code block marked as Python, else the last code block without a language. If the answer has
 * `<answer>` tags, only the last pair is searched. If that pair contains no code block, its whole content is the program.
 *
 * `paper-artefact` for LiveCodeBench: the content of the first `<answer>` tags without code fences. Two code blocks
 * in these tags become one program. For BigCodeBench, see `artefactUnitProgram`.
 */
export function findProgram(answer: string, kind: ProgramKind, profile: GradingProfile): string | null {
  if (profile === 'paper-artefact') {
    const program = kind === 'python' ? withoutFences(firstTagged(answer) ?? '') : artefactUnitProgram(answer);
    return program || null;
  }
  const tagged = lastTagged(answer);
  const fences = fencedCode(tagged ?? answer);
  const fence = fences.findLast(isPython) ?? fences.findLast(({ language }) => language === '');
  return fence?.code ?? (fences.length === 0 ? tagged : null);
}

function withoutFences(text: string): string {
  return text.replaceAll('```python', '').replaceAll('```', '').trim();
}

/** @file Finds the Python program in an answer. */
import type { GradingProfile } from '../../contract';
import { fencedCode, isPython } from '../../contract/worker/fenced-code';
import { firstTagged, lastTagged } from '../answer-tags';
import { artefactUnitProgram } from './artefact-unit-program';
import type { ProgramKind } from './program-task';

/**
 * The program in an answer. `null`: there is none.
 *
 * `strict`: the last code block that is marked as Python, else the last code block without a language. If there are answer
 * tags, only the last pair is searched. If the tags contain no code block, their whole content is the program.
 *
 * `paper-artefact`: for LiveCodeBench, the content of the first answer tags without the markers of code blocks. Two code blocks
 * between the tags become one program. BigCodeBench has other rules, see `artefactUnitProgram`.
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

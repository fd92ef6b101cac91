import { ESLint } from 'eslint';
import { describe, expect, test } from 'vitest';
import { CORE_LINES } from '../scripts/house.mjs';

const eslint = new ESLint();

/** The rooms a file may not import from, as the lint rule sees it. */
async function complaints(filePath: string, ...imports: string[]): Promise<number> {
  const code = imports.map((path, index) => `import * as name${index} from '${path}';\nvoid name${index};`).join('\n');
  const config: unknown = await eslint.calculateConfigForFile(filePath);
  const rule = new ESLint({ overrideConfigFile: true, overrideConfig: pick(config) });
  const [result] = await rule.lintText(code, { filePath: 'probe.js' });
  return result?.messages.length ?? 0;
}

function pick(config: unknown): { rules: Record<string, never> } {
  const rules = (config as { rules: Record<string, never> }).rules;
  const restricted = rules['no-restricted-imports'];
  return { rules: restricted ? { 'no-restricted-imports': restricted } : {} };
}

describe('imports point down only', () => {
  const rooms = CORE_LINES.flatMap((line, height) => line.map((room) => ({ room, height })));

  test.each(rooms)('core/$room', async ({ room, height }) => {
    for (const other of rooms.filter((each) => each.room !== room)) {
      const refused = await complaints(`src/core/${room}/file.ts`, `../${other.room}`, `../${other.room}/file`);
      expect(refused, `${room} → ${other.room}`).toBe(other.height < height ? 0 : 2);
    }
    expect(
      await complaints(`src/core/${room}/file.ts`, '../../platform/store/file', '../../app/state/file', 'svelte'),
    ).toBe(3);
  });

  test('platform rooms know the contract and nothing else of ours', async () => {
    const file = 'src/platform/store/file.ts';
    expect(await complaints(file, '../../core/contract', 'idb')).toBe(0);
    expect(await complaints(file, '../workers/keys', '../../core/runs', '../../app/services', 'svelte')).toBe(4);
  });

  test('the app never imports an implementation from the platform', async () => {
    expect(await complaints('src/app/pages/file.ts', '../components/file', '../../core/runs/index')).toBe(0);
    expect(await complaints('src/app/pages/file.ts', '../../platform/store/file')).toBe(1);
    expect(await complaints('src/app/state/file.ts', '../components/file', '../pages/file')).toBe(2);
  });
});

import { expect, it, onTestFinished } from 'vitest';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCommand, startProcess } from './built-command';

it('podium removes control characters when its error quotes an unknown command', async () => {
  const running = startProcess(process.execPath, [(await builtCommand()).script, 'dance\u001b[2J\u0007\u009b1A']);
  expect(await running.ended).toBe(2);
  expect(running.error()).toContain('There is no command “dance[2J1A”.');
});

it('podium finishes a run even if the program that reads its stderr has exited', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'podium-start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const run = `"${process.execPath}" "${(await builtCommand()).script}" run "Using the numbers 3 and 7, make 21." --conductor template:best-single --out "${folder}/run.jsonl"`;
  const shell = startProcess('/bin/sh', [
    '-c',
    `{ ${run} 2>&1 >"${folder}/answer"; echo $? >"${folder}/code"; } | true`,
  ]);
  await shell.ended;
  expect(await readFile(join(folder, 'code'), 'utf8')).toBe('0\n');
  expect(await readFile(join(folder, 'answer'), 'utf8')).not.toBe('');
});

import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { EXIT } from '../../../src/node/exit-codes';
import { builtCommand, startProcess } from '../built-command';
import { command } from '../terminal';
import { planFile, poolFile, simulatedBatch, testFolder } from './plans';

const docs = (name: string) => readFile(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), 'utf8');

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.log('Skips the test of the Ray recipe in docs/clusters.md: python3 is not installed.');

/** Compiles the value as a `Job` of the Kubernetes API. @returns TypeScript's errors, for example for unknown fields */
function problemsOfJob(job: unknown): string[] {
  const name = fileURLToPath(new URL('job-under-test.ts', import.meta.url));
  const text = `import type { Job } from 'kubernetes-types/batch/v1';\nexport const job: Job = ${JSON.stringify(job)};\n`;
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es5.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === name || fileExists(path);
  host.getSourceFile = (path, ...rest) =>
    path === name ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2022) : getSourceFile(path, ...rest);
  const program = ts.createProgram([name], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** Creates a folder with the plan file and the pool file that the recipes use. */
async function recipeFolder(): Promise<string> {
  const folder = await testFolder();
  await planFile(folder, simulatedBatch(4));
  await poolFile(folder, []);
  return folder;
}

/**
 * The shell command in docs/clusters.md that matches `found`. It runs in the folder, and calls the built
 * script in place of `podium`.
 */
async function recipe(found: RegExp, folder: string): Promise<string> {
  const [, line] = found.exec(await docs('clusters.md')) ?? [];
  if (line === undefined) throw new Error(`docs/clusters.md has no line ${String(found)}.`);
  const podium = `"${process.execPath}" "${(await builtCommand()).script}"`;
  return `cd "${folder}" && ${line.replace('podium', podium)}`;
}

async function shell(line: string, environment: Record<string, string> = {}): Promise<void> {
  const running = startProcess('/bin/sh', ['-c', line], environment);
  expect(await running.ended, running.error()).toBe(0);
}

describe('the recipes for clusters', () => {
  it('evaluate shards in parallel, and merge them into the table that a single process prints', async () => {
    const folder = await recipeFolder();
    await shell(await recipe(/^(seq 8 \| xargs .*)$/m, folder));
    await shell(await recipe(/^(podium merge .*)$/m, folder));
    const file = await readFile(join(folder, 'results.podium-batch.json'), 'utf8');
    expect(file).toContain('"outcomes":[');
    const alone = await command(['eval', join(folder, 'plan.podium-batch.json'), '--out', join(folder, 'alone')]);
    const merged = await command(['merge', join(folder, 'results'), '--out', join(folder, 'again.json')]);
    expect(merged.out).toBe(alone.out);
  });

  it('use the same command with GNU parallel as with xargs', async () => {
    const folder = await testFolder();
    const [xargs, parallel] = [
      await recipe(/^seq 8 \| xargs .* -I \{\} (.*)$/m, folder),
      await recipe(/^seq 8 \| parallel -j 4 (.*)$/m, folder),
    ];
    expect(parallel).toBe(xargs);
  });

  it.skipIf(!hasPython)('use valid Python code with Ray, and the same command and shards as with xargs', async () => {
    const [, code = ''] = /^## Ray\n\n```python\n(.*?)^```$/ms.exec(await docs('clusters.md')) ?? [];
    const folder = await testFolder();
    await writeFile(join(folder, 'ray_recipe.py'), code);
    await shell(`cd "${folder}" && python3 -m py_compile ray_recipe.py`);
    const [, shard = ''] = /f"podium (.*?)", shell=True/.exec(code) ?? [];
    const xargs = /^seq 8 \| xargs .* -I \{\} podium (.*)$/m.exec(await docs('clusters.md'));
    expect(shard.replace('{i}', '{}')).toBe(xargs?.[1]);
    expect(code).toContain('range(1, 9)');
  });

  it('take the shard from the variables of a Slurm array', async () => {
    const folder = await recipeFolder();
    const line = await recipe(/^sbatch .* --wrap '(.*)'$/m, folder);
    for (const index of [1, 2]) {
      await shell(line, {
        SLURM_ARRAY_TASK_ID: String(index),
        SLURM_ARRAY_TASK_MIN: '1',
        SLURM_ARRAY_TASK_COUNT: '2',
      });
    }
    expect((await command(['merge', join(folder, 'results'), '--out', join(folder, 'merged.json')])).code).toBe(0);
  });

  const indexedJob = z.object({
    apiVersion: z.literal('batch/v1'),
    kind: z.literal('Job'),
    spec: z.object({
      completionMode: z.literal('Indexed'),
      completions: z.int(),
      parallelism: z.int(),
      backoffLimitPerIndex: z.int(),
      podFailurePolicy: z.object({
        rules: z.array(
          z.union([
            z.strictObject({
              action: z.literal('Ignore'),
              onPodConditions: z.array(
                z.strictObject({ type: z.literal('DisruptionTarget'), status: z.literal('True') }),
              ),
            }),
            z.strictObject({
              action: z.literal('FailIndex'),
              onExitCodes: z.object({ containerName: z.string(), operator: z.literal('In'), values: z.array(z.int()) }),
            }),
          ]),
        ),
      }),
      template: z.object({
        spec: z.object({
          restartPolicy: z.literal('Never'),
          containers: z.array(
            z.object({
              name: z.string(),
              command: z.array(z.string()),
              args: z.array(z.string()),
              volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
            }),
          ),
          volumes: z.array(z.object({ name: z.string() })),
        }),
      }),
    }),
  });

  it('run every index of the Kubernetes job, and use only fields of the Kubernetes API', async () => {
    const job: unknown = parse(await docs('kubernetes-job.yaml'));
    expect(problemsOfJob(job)).toEqual([]);
    const { spec } = indexedJob.parse(job);
    // Checks that `problemsOfJob` finds unknown fields.
    expect(problemsOfJob({ kind: 'Job', spec: { ...spec, completion: 8 } })).toEqual([
      expect.stringContaining('completion'),
    ]);
    const [container] = spec.template.spec.containers;
    if (!container) throw new Error('The job has no container.');
    // The rule for evicted pods comes first, because the first matching rule counts. An evicted pod must not
    // fail its job index, whatever its exit code.
    expect(spec.podFailurePolicy.rules).toEqual([
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      {
        action: 'FailIndex',
        onExitCodes: {
          containerName: container.name,
          operator: 'In',
          values: [EXIT.usage, EXIT.incomplete, EXIT.someFailed],
        },
      },
    ]);
    const volumes = spec.template.spec.volumes.map(({ name }) => name);
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes);
    const folder = await recipeFolder();
    const mounted = (text: string) => text.replace('=/plan', `=${folder}`).replace('=/results', `=${folder}/results`);
    const args = container.args.map((text) => mounted(text.replace(/^\/plan/, folder)));
    for (let index = 0; index < spec.completions; index += 1) {
      const result = await command(args, { environment: { JOB_COMPLETION_INDEX: String(index) } });
      expect(result.code, result.error).toBe(0);
    }
    expect((await command(['merge', join(folder, 'results'), '--out', join(folder, 'merged.json')])).code).toBe(0);
  });
});

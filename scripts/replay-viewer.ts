/**
 * @file Vite plugin: bundles the viewer that each replay file contains. The virtual module `virtual:replay-viewer` exports the
 * viewer's script and style sheet as text, with their hashes for the Content Security Policy of the replay file. The page
 * lazy-loads this module when the user saves a replay file.
 */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, type Plugin } from 'vite';

const VIEWER = 'virtual:replay-viewer';
const ENTRY = fileURLToPath(new URL('../src/replay/main.ts', import.meta.url));

/** @param inner plugins for bundling the viewer */
export function replayViewer(inner: Plugin[] = []): Plugin {
  let built: Promise<ReplayViewerParts> | null = null;
  return {
    name: 'podium-replay-viewer',
    resolveId: (id) => (id === VIEWER ? `\0${id}` : null),
    async load(id) {
      if (id !== `\0${VIEWER}`) return null;
      const parts = await (built ??= bundleReplayViewer(inner));
      return `export default ${JSON.stringify(parts)};`;
    },
  };
}

interface ReplayViewerParts {
  readonly script: string;
  readonly style: string;
  /** SHA-256 in the notation of a Content Security Policy: `sha256-` and base64. */
  readonly scriptHash: string;
  readonly styleHash: string;
}

/**
 * Bundles the viewer. Throws an error if the bundle is not exactly one script and one style sheet, or if one of them contains a
 * null character.
 */
export async function bundleReplayViewer(inner: Plugin[] = []): Promise<ReplayViewerParts> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [svelte({ compilerOptions: { cssHash: shortName } }), withoutFonts(), ...inner],
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      cssCodeSplit: false,
      // The oldest browsers with all features that the viewer needs. For older browsers, Vite would write each color twice.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      rolldownOptions: {
        input: ENTRY,
        treeshake: { moduleSideEffects: (id) => id === ENTRY || id.endsWith('.css'), propertyReadSideEffects: false },
        output: { format: 'iife', codeSplitting: false },
      },
    },
  });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const scripts = outputs.flatMap((each) => (each.type === 'chunk' ? [each.code] : []));
  const styles = outputs.flatMap((each) => (each.type === 'asset' ? [String(each.source)] : []));
  const [script, style] = [scripts[0], styles[0]];
  if (script === undefined || style === undefined || outputs.length !== 2)
    throw new Error(`The viewer was built as ${outputs.map(({ fileName }) => fileName).join(', ')}.`);
  return {
    script: inline(script.trim(), 'script'),
    style: inline(style.trim(), 'style'),
    scriptHash: digestOf(inline(script.trim(), 'script')),
    styleHash: digestOf(inline(style.trim(), 'style')),
  };
}

/** The name of the class that scopes a component's styles. Svelte's own names are three times as long. */
function shortName({ hash, css }: { hash: (text: string) => string; css: string }): string {
  return `s${hash(css).slice(0, 4)}`;
}

/**
 * Escapes the text of a `<script>` or `<style>` element. Without the escapes, the HTML parser might end the
 * element early or change the text.
 */
function inline(text: string, element: 'script' | 'style'): string {
  const safe = text
    .replaceAll('\r', '')
    .replaceAll(`</${element}`, `<\\/${element}`)
    .replaceAll('<!--', element === 'script' ? '<\\!--' : '');
  if (safe.includes('\0')) throw new Error(`The viewer's ${element} contains a null character.`);
  return safe;
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Removes the `@font-face` rules, because a replay file must not load anything. Browsers use system fonts instead. */
function withoutFonts(): Plugin {
  return {
    name: 'podium-replay-without-fonts',
    enforce: 'pre',
    transform: (code, id) => (id.endsWith('.css') ? code.replaceAll(/@font-face\s*\{[^}]*\}/g, '') : null),
  };
}

// Lints all components with ESLint.
import { ESLint } from 'eslint';

// The parser reads this variable when it is imported, which the config does. The parser then gives the compiler the TypeScript of all components at once. Otherwise the compiler builds its program again for
// each component, which takes most of the time.
process.env.SVELTE_ESLINT_PARSER_EXPERIMENTAL_TS_SYS_HOOK = '1';

const eslint = new ESLint();
const results = await eslint.lintFiles(['{src,test}/**/*.svelte', '{src,test}/**/*.svelte.ts']);
const formatter = await eslint.loadFormatter();
const report = await formatter.format(results);
if (report) console.log(report);
if (results.some(({ errorCount }) => errorCount > 0)) process.exitCode = 1;

/** The viewer of replay files, which `scripts/replay-viewer.ts` bundles. */
declare module 'virtual:replay-viewer' {
  import type { ReplayViewer } from '../core/contract';

  const viewer: ReplayViewer;
  export default viewer;
}

/**
 * @file Detects the GPU, memory and free storage of this machine before a download.
 */
import type { GpuProbe, MachineProbe } from '../../core/contract';

/**
 * The properties of `navigator` that this file uses. A property is optional if some browsers or Web
 * Workers lack it.
 */
export interface ProbedNavigator {
  readonly gpu?: { requestAdapter(options?: GPURequestAdapterOptions): Promise<ProbedAdapter | null> } | undefined;
  readonly userAgent: string;
  readonly userAgentData?: { readonly mobile: boolean };
  readonly platform?: string;
  readonly maxTouchPoints?: number;
  /** The machine's memory in GB. */
  readonly deviceMemory?: number;
  readonly storage?: { estimate(): Promise<StorageEstimate> };
}

export interface ProbedAdapter {
  readonly info?: Partial<Pick<GPUAdapterInfo, 'vendor' | 'architecture' | 'description' | 'isFallbackAdapter'>>;
  readonly features: { has(name: string): boolean };
  readonly limits: Pick<
    GPUSupportedLimits,
    | 'maxBufferSize'
    | 'maxStorageBufferBindingSize'
    | 'maxComputeWorkgroupStorageSize'
    | 'maxStorageBuffersPerShaderStage'
  >;
}

/** Detects the properties of this machine. Never throws. Unknown values are `null`. */
export async function probeMachine(navigator: ProbedNavigator = globalThis.navigator): Promise<MachineProbe> {
  const [graphics, freeStorage] = await Promise.all([probeGpu(navigator), probeStorage(navigator)]);
  return { ...graphics, isPhone: isPhone(navigator), memory: navigator.deviceMemory ?? null, freeStorage };
}

async function probeGpu({ gpu }: ProbedNavigator): Promise<Pick<MachineProbe, 'gpu' | 'gpuProblem'>> {
  if (!gpu) return { gpu: null, gpuProblem: NO_WEBGPU };
  try {
    const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
    return adapter ? { gpu: describe(adapter), gpuProblem: null } : { gpu: null, gpuProblem: NO_ADAPTER };
  } catch {
    return { gpu: null, gpuProblem: NO_ADAPTER };
  }
}

const NO_WEBGPU =
  'WebGPU isn’t available. Open Podium in a current Chrome, Edge, Safari or Firefox, over https or from localhost.';
const NO_ADAPTER =
  'This browser found no usable GPU. Turn on hardware acceleration in its settings, or update the graphics driver.';

/** Matches the names of GPU implementations that run on the CPU. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|basic render|software/i;

function describe({ info = {}, features, limits }: ProbedAdapter): GpuProbe {
  const { vendor = '', architecture = '', description = '' } = info;
  return {
    vendor,
    architecture,
    description,
    software: info.isFallbackAdapter === true || SOFTWARE.test(`${vendor} ${architecture} ${description}`),
    half: features.has('shader-f16'),
    maxBuffer: limits.maxBufferSize,
    maxStorageBinding: limits.maxStorageBufferBindingSize,
    maxWorkgroupStorage: limits.maxComputeWorkgroupStorageSize,
    maxStorageBuffers: limits.maxStorageBuffersPerShaderStage,
  };
}

/**
 * Whether this is a phone. Tablets count as phones, because tablets also close tabs that use too
 * much memory. An iPad reports itself as a Mac, but Macs have no touch screen.
 */
function isPhone({ userAgentData, userAgent, platform, maxTouchPoints = 0 }: ProbedNavigator): boolean {
  if (userAgentData?.mobile) return true;
  if (/android|iphone|ipad|ipod|mobile/i.test(userAgent)) return true;
  return platform === 'MacIntel' && maxTouchPoints > 1;
}

async function probeStorage({ storage }: ProbedNavigator): Promise<number | null> {
  try {
    const { usage, quota } = (await storage?.estimate()) ?? {};
    return usage === undefined || quota === undefined ? null : Math.max(0, quota - usage);
  } catch {
    return null;
  }
}

/**
 * @file The names by which the installed WebLLM calls a model's library. A test compares them with WebLLM's source. An older
 * library lacks some of them.
 */

/** Functions that the WebAssembly module must export. */
export const RUNTIME_EXPORTS = [
  'TVMFFIAnyViewToOwnedAny',
  'TVMFFIDataTypeToString',
  'TVMFFIErrorSetRaisedFromCStr',
  'TVMFFIFunctionCall',
  'TVMFFIFunctionGetGlobal',
  'TVMFFIFunctionSetGlobal',
  'TVMFFIGetTypeInfo',
  'TVMFFIObjectDecRef',
  'TVMFFIObjectIncRef',
  'TVMFFITypeKeyToIndex',
  'TVMFFIWasmFunctionCreate',
  'TVMFFIWasmGetLastError',
  'TVMWasmAllocSpace',
  'TVMWasmFreeSpace',
] as const;

/** Functions of the runtime inside the library, which WebLLM looks up while it starts. */
export const RUNTIME_FUNCTIONS = [
  'ffi.Array',
  'ffi.ArrayGetItem',
  'ffi.ArraySize',
  'ffi.FunctionListGlobalNamesFunctor',
  'ffi.ModuleGetFunction',
  'ffi.ModuleImportModule',
  'ffi.Shape',
  'ffi.SystemLib',
  'runtime.TVMTensorAllocWithScope',
  'runtime.TVMTensorCopyFromTo',
  'runtime.TVMTensorCreateView',
  'tvmjs.array.decode_storage',
  'tvmjs.runtime.ArrayConcat',
  'tvmjs.runtime.ConcatEmbeddings',
  'tvmjs.runtime.TensorCopyFromBytes',
  'tvmjs.runtime.TensorCopyToBytes',
  'vm.builtin.apply_presence_and_frequency_penalty',
  'vm.builtin.apply_repetition_penalty',
  'vm.builtin.apply_softmax_with_temperature',
  'vm.builtin.param_module_from_cache',
  'vm.builtin.param_module_from_cache_by_name',
  'vm.builtin.sample_top_p_from_logits',
  'vm.builtin.sample_top_p_from_prob',
  'vm.builtin.tensor_cache.clear',
  'vm.builtin.tensor_cache.get',
  'vm.builtin.tensor_cache.remove',
  'vm.builtin.tensor_cache.update',
] as const;

/** Functions of the model itself that WebLLM looks up for every model that writes text. */
export const MODEL_FUNCTIONS = [
  'apply_bitmask_inplace',
  'apply_logit_bias_inplace',
  'apply_penalty_inplace',
  'argsort_probs',
  'sample_with_top_p',
  'softmax_with_temperature',
] as const;

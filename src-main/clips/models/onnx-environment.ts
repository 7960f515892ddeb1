import { allowedEnvironment, BASIC_ENVIRONMENT } from '../../process/child-environment.ts';

/**
 * The environment of a process in which ONNX Runtime computes. Its builds tell their maker about each session over the network, unless they are told not to: what runs here is nobody's business
 * (ONNX Runtime 1.30, `core/platform/posix/telemetry.cc`).
 */
export function onnxEnvironment(): Record<string, string> {
  return { ...allowedEnvironment(BASIC_ENVIRONMENT), ORT_DISABLE_TELEMETRY: '1' };
}

import { numpy as np } from '@jax-js/jax';
import type { Tensor } from './kernels.ts';

/** Every function of jax-js takes the arrays that it is given away; `.ref` keeps one. */
export type NdArray = np.Array;

/** For a function that takes it: it stays, too. */
export const keep = (tensor: Tensor): NdArray => (tensor as NdArray).ref;

/** What may be missing is a list of none or one: so it is part of the shape of a function's arguments. */
export const some = (tensor: Tensor | undefined): NdArray[] => (tensor ? [keep(tensor)] : []);

export function inverseRoot(x: NdArray, epsilon: number): NdArray {
  return np.reciprocal(np.sqrt(np.mean(np.square(x), -1, { keepdims: true }).add(epsilon)));
}

/** `x / √(mean x² + ε) · weight`, along the last axis. */
export function norm(x: NdArray, weight: NdArray, epsilon: number): NdArray {
  return x.ref.mul(inverseRoot(x, epsilon)).mul(weight);
}

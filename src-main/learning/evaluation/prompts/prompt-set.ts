/** Questions of one subject. What a model is taught with is never what it is measured with: the original (B6) uses one list for both. */
export interface PromptSet {
  training: readonly string[];
  heldOut: readonly string[];
}

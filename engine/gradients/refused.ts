/** What to write in place of an operation that has no gradient, by the kernel. */
export const alternatives: Record<string, string> = {}

/**
 * From here on the steps of a chunk of points may be the first one and the distance (points/chunk.ts), which older programs
 * would take for two steps. What is stored stays as it is.
 */
export const strides = `
-- nothing to change
`

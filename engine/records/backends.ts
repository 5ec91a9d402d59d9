// What a run says of its backend: its name, or, where it was interrupted and went on elsewhere, all names in their order.

const THEN = ', '

/** The backends that trained a run, in their order. */
export function backendsOf(backend: string): string[] {
  return backend.split(THEN)
}

/** The backend that trains a run, or did so last: `simd` of `webgl, simd`. */
export function lastBackend(backend: string): string {
  return backendsOf(backend).at(-1) ?? backend
}

/** The backend names of a run that continues on another backend. */
export function continuedOnBackend(backend: string, next: string): string {
  return lastBackend(backend) === next ? backend : backend + THEN + next
}

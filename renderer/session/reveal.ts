/** Brings the selected cell into view, once it is drawn. */
export function reveal(): void {
  requestAnimationFrame(() => document.querySelector('[data-selected="true"]')?.scrollIntoView({ block: 'nearest' }))
}

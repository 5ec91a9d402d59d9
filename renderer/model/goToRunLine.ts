/** Shows the cell of a line, `<cell>:<line>`, among those that the run of the page was made of. */
export function goToRunLine(place: string): void {
  const cell = place.slice(0, place.lastIndexOf(':'))
  const found = document.querySelector<HTMLDetailsElement>(`[data-source-cell="${CSS.escape(cell)}"]`)
  if (!found) return
  found.open = true
  found.scrollIntoView({ block: 'nearest' })
}

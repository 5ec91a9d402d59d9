/**
 * An element of its own for an editor in `box`, as high as that: one that is disposed of a moment after it was taken away is
 * not in the way of the next.
 */
export function placeIn(box: HTMLElement): HTMLElement {
  const place = document.createElement('div')
  place.style.height = '100%'
  return box.appendChild(place)
}

/**
 * What is wrong with how the page is laid out: what makes the document scroll, controls that no scrolling brings into
 * the window, and controls that lie on each other. Runs in the page.
 */
export function layoutFaults(): string[] {
  const faults: string[] = []
  const name = (element: Element) => {
    const label = element.getAttribute('aria-label') ?? element.getAttribute('data-testid') ?? element.textContent
    return `${element.tagName.toLowerCase()}.${element.className} '${label?.trim().slice(0, 40)}'`
  }

  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement
  if (scrollWidth > clientWidth) faults.push(`the document is ${scrollWidth - clientWidth} px too wide`)
  if (scrollHeight > clientHeight) faults.push(`the document is ${scrollHeight - clientHeight} px too tall`)

  /** Where an element is; of a heading its text, which is shorter. */
  const boxOf = (element: Element): DOMRect => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return element.matches('h1, h2') ? range.getBoundingClientRect() : element.getBoundingClientRect()
  }

  /** Whether an element is in the window, or scrolling would bring it there. */
  const reachable = (element: Element): boolean => {
    const box = element.getBoundingClientRect()
    let [left, right] = [box.left, box.right]
    for (let around = element.parentElement; around; around = around.parentElement) {
      const { overflowX } = getComputedStyle(around)
      if (overflowX === 'visible') continue
      if (overflowX === 'auto' || overflowX === 'scroll') return true
      const frame = around.getBoundingClientRect()
      if (left < frame.left - 1 || right > frame.right + 1) return false
      left = Math.max(left, frame.left)
      right = Math.min(right, frame.right)
    }
    return left >= -1 && right <= clientWidth + 1
  }

  const scope = document.querySelector('dialog[open]') ?? document.body
  const controls = [...scope.querySelectorAll('button, input, select, a, h1, h2, summary')].filter((element) => {
    const editor = element.closest('.monaco-editor, .js-plotly-plot, .hidden')
    return !editor && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  })
  for (const control of controls) if (!reachable(control)) faults.push(`${name(control)} is cut off`)

  const inView = controls.flatMap((control) => {
    const box = boxOf(control)
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    const top = document.elementFromPoint(x, y)
    const seen = box.width > 0 && x > 0 && y > 0 && x < clientWidth && y < clientHeight
    return seen && top ? [{ control, box, top }] : []
  })
  const scrolledAway = (control: Element, box: DOMRect) => {
    for (let around = control.parentElement; around; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around)
      const frame = around.getBoundingClientRect()
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
      if (overflowY !== 'visible' && (y < frame.top || y > frame.bottom)) return true
      if (overflowX !== 'visible' && (x < frame.left || x > frame.right)) return true
    }
    return false
  }
  const sticky = (element: Element | null): boolean => {
    if (!element) return false
    return getComputedStyle(element).position === 'sticky' || sticky(element.parentElement)
  }
  for (const { control, box, top } of inView) {
    const own = control.contains(top) || top.contains(control) || control.closest('label')?.contains(top)
    if (!own && !scrolledAway(control, box) && !sticky(top)) faults.push(`${name(control)} lies below ${name(top)}`)
  }
  return faults
}

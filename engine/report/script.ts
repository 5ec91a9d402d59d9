/**
 * The script of a report, as the browser gets it: the legend shows and hides series, and the values nearest to the
 * pointer are shown below a chart. Without it a report is complete.
 */
export const SCRIPT = `
for (const chart of document.querySelectorAll('[data-chart]')) {
  const svg = chart.querySelector('svg')
  const reading = chart.querySelector('.reading')
  const cursor = chart.querySelector('.cursor')
  const series = JSON.parse(chart.querySelector('script').textContent)
  const hidden = new Set()
  chart.addEventListener('change', ({ target }) => {
    const name = target.dataset.toggle
    const shown = target.parentElement.textContent
    if (target.checked) hidden.delete(shown)
    else hidden.add(shown)
    for (const group of svg.querySelectorAll('[data-series]'))
      if (group.dataset.series === name) group.classList.toggle('off', !target.checked)
  })
  svg.addEventListener('pointermove', (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse()).x
    const nearest = (points) => points.reduce((a, b) => (Math.abs(b[0] - at) < Math.abs(a[0] - at) ? b : a), points[0])
    const found = series.flatMap(({ name, points }) => {
      const point = hidden.has(name) ? undefined : nearest(points)
      return point ? [{ name, point }] : []
    })
    const first = nearest(found.map(({ point }) => point))
    if (!first) return
    const close = found.filter(({ point }) => Math.abs(point[0] - first[0]) < 6)
    reading.textContent = first[1] + ':  ' + close.map(({ name, point }) => name + ' ' + point[2]).join(',  ')
    cursor.setAttribute('d', 'M' + first[0] + ' ' + chart.dataset.box.split(' ')[0] + 'V' + chart.dataset.box.split(' ')[1])
  })
  svg.addEventListener('pointerleave', () => {
    reading.textContent = ''
    cursor.setAttribute('d', '')
  })
}
`

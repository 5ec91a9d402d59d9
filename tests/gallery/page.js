// Draws the charts of the gallery, and again in the other theme.
const charts = JSON.parse(document.getElementById('charts').textContent)
const boxes = [...document.querySelectorAll('.figure')]

function draw(theme) {
  document.documentElement.dataset.theme = theme
  charts.forEach((chart, i) => {
    const { data, layout } = chart[theme].figure
    Plotly.react(boxes[i], data, layout, { displayModeBar: false })
    boxes[i].removeAllListeners('plotly_click')
    boxes[i].on('plotly_click', ({ points }) => console.log(points[0].customdata ?? points[0].data.meta?.run))
  })
}

document.getElementById('theme').addEventListener('click', () => {
  draw(document.documentElement.dataset.theme === 'light' ? 'dark' : 'light')
})
draw(location.hash === '#dark' ? 'dark' : 'light')

// The page for a projector loads itself again, since the tournament writes it anew as results come.

const seconds = Number(document.body.dataset.refresh);
if (seconds) setInterval(() => $("pause").checked || location.reload(), 1000 * seconds);
document.documentElement.dataset.ready = "";

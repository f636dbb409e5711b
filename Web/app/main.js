// @ts-check
document.documentElement.dataset.ready = 'true';

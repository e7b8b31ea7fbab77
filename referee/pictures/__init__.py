"""What people look at rather than read: plots, rulers, brackets, maps of stages, tricks laid out. Drawn as SVG."""

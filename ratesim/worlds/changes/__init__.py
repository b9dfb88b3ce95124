"""How skills change: importing this registers ours."""

int yonder_web_placeholder(void);

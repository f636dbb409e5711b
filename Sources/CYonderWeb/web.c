int yonder_web_placeholder(void){return 0;}
